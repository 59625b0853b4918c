// The second factor where several act at once. Its rules are in tests/api/dashboard/second_factor*.case.
#include "identity/sessions/second_factors.h"

#define BOOST_TEST_DYN_LINK
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <set>

#include "repo/auth_support.h"
#include "support/threads.h"

using namespace tradepost;

namespace {

struct Fixture : test::AuthFixture {
    identity::User user = add_user("anna@example.org");
    identity::SecondFactors factors{connection};

    // Enabled long ago, with this well-known secret.
    void enable() {
        connection.execute(
            "INSERT INTO second_factors (user_id, secret, created_at, enabled_at) VALUES (?, '12345678901234567890', ?, ?)",
            {user.id, clock.now(), clock.now()});
    }
    // How many of those who type this code at once are let in.
    int let_in(const std::string& code) {
        std::atomic<int> right = 0;
        std::vector<test::Thread> threads;
        for (int i = 0; i < 6; ++i)
            threads.emplace_back([&] {
                db::Connection own(database.config());
                if (identity::SecondFactors(own).check(user.id, code, clock.now()) == identity::CodeVerdict::right) ++right;
            });
        for (auto& thread : threads) thread.join();
        return right;
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(second_factors, Fixture)

BOOST_AUTO_TEST_CASE(a_code_lets_one_in) {
    enable();
    clock.set(core::Time(std::chrono::seconds(1234567890)));
    BOOST_TEST(let_in("005924") == 1);
}

BOOST_AUTO_TEST_CASE(a_recovery_code_lets_one_in) {
    enable();
    const auto codes = factors.renew_recovery_codes(user.id, clock.now()).value();
    BOOST_TEST(std::set(codes.begin(), codes.end()).size() == 10u);
    for (const auto& code : codes) {
        BOOST_TEST(code.size() == 27u);
        BOOST_TEST(code.find_first_not_of("abcdefghijklmnopqrstuvwxyz234567-") == std::string::npos);
    }
    BOOST_TEST(let_in(codes[3]) == 1);
    BOOST_TEST(factors.find(user.id).recovery_codes == 9);
}

BOOST_AUTO_TEST_CASE(codes_are_stored_as_digests) {
    enable();
    const auto codes = factors.renew_recovery_codes(user.id, clock.now()).value();
    BOOST_TEST(other.query("SELECT COUNT(*) FROM recovery_codes WHERE LENGTH(hash) = 32").at(0).integer(0) == 10);
    BOOST_TEST(
        other.query("SELECT COUNT(*) FROM recovery_codes WHERE hash LIKE ?", {codes[0].substr(0, 6) + "%"}).at(0).integer(0) ==
        0);
}

BOOST_AUTO_TEST_CASE(each_change_is_in_the_audit_log) {
    const auto events = [&] {
        std::string names;
        for (const auto& row : other.query("SELECT event FROM audit_log WHERE user_id = ? ORDER BY happened_at, id", {user.id}))
            names += row.text(0) + " ";
        connection.execute("DELETE FROM audit_log");
        return names;
    };
    const auto now = core::Time(std::chrono::seconds(1234567890));
    factors.begin(user.id, now);
    BOOST_TEST(!factors.enable(user.id, "005924", now));
    BOOST_TEST(events() == "");
    connection.execute("UPDATE second_factors SET secret = '12345678901234567890'");
    const auto codes = factors.enable(user.id, "005924", now).value();
    BOOST_TEST(events() == "second_factor_enabled ");
    factors.check(user.id, codes[0], now);
    BOOST_TEST(events() == "recovery_code_used ");
    factors.renew_recovery_codes(user.id, now);
    BOOST_TEST(events() == "recovery_codes_renewed ");
    BOOST_TEST((factors.remove(user.id, now) && !factors.remove(user.id, now)));
    BOOST_TEST(events() == "second_factor_disabled ");
}

BOOST_AUTO_TEST_CASE(another_users_codes_are_wrong) {
    enable();
    const auto codes = factors.renew_recovery_codes(user.id, clock.now()).value();
    const auto ben = add_user("ben@example.org");
    BOOST_TEST((factors.check(ben.id, codes[0], clock.now()) == identity::CodeVerdict::wrong));
    connection.execute("INSERT INTO second_factors (user_id, secret, created_at, enabled_at) VALUES (?, 'another', ?, ?)",
                       {ben.id, clock.now(), clock.now()});
    BOOST_TEST((factors.check(ben.id, codes[0], clock.now()) == identity::CodeVerdict::wrong));
    BOOST_TEST(factors.find(user.id).recovery_codes == 10);
}

BOOST_AUTO_TEST_SUITE_END()
