// Changes of users' addresses where several act at once, and what is left of them. Their rules are in tests/api/dashboard/email*.case.
#include "identity/people/email_changes.h"

#define BOOST_TEST_DYN_LINK
#include <atomic>
#include <boost/test/unit_test.hpp>

#include "ctl/housekeeping.h"
#include "identity/sessions/password_resets.h"
#include "repo/auth_support.h"
#include "support/threads.h"

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

struct Fixture : test::AuthFixture {
    identity::User user = add_user("anna@example.org", "hash");
    identity::EmailChanges changes{connection};

    std::optional<identity::EmailChange> begin(const std::string& email) {
        return db::in_transaction(connection, [&] { return changes.begin(user.id, email, clock.now()); });
    }
    std::string token_for(const std::string& email) {
        return changes.write_letter(begin(email).value().id, clock.now()).value().token.value();
    }
    identity::Session session() { return sessions.begin(user.id, "hash", {}, clock.now()).value().session; }
    std::int64_t rows() { return connection.query("SELECT COUNT(*) FROM email_changes").at(0).integer(0); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(email_changes, Fixture)

BOOST_AUTO_TEST_CASE(a_link_works_once_for_several_at_once) {
    const auto token = token_for("anna@example.net");
    const auto own = session();
    std::atomic<int> changed = 0, refused = 0;
    std::vector<test::Thread> threads;
    for (int i = 0; i < 6; ++i)
        threads.emplace_back([&] {
            db::Connection each(database.config());
            const auto result = identity::EmailChanges(each).finish(own, token, clock.now());
            ++(std::holds_alternative<std::string>(result) ? changed : refused);
        });
    for (auto& thread : threads) thread.join();
    BOOST_TEST(changed == 1);
    BOOST_TEST(refused == 5);
    BOOST_TEST(users.find(user.id)->email == "anna@example.net");
}

// Its letter would go to the old address.
BOOST_AUTO_TEST_CASE(no_new_password_by_a_letter_to_an_address_of_before) {
    const auto own = session();
    BOOST_TEST(std::holds_alternative<std::string>(changes.finish(own, token_for("anna@example.net"), clock.now())));
    identity::PasswordResets resets(connection);
    BOOST_TEST(!resets.begin(user, clock.now(), clock.now() + 30min));
    BOOST_TEST(resets.begin(*users.find(user.id), clock.now(), clock.now() + 30min).has_value());
}

BOOST_AUTO_TEST_CASE(of_several_that_begin_at_once_one_waits) {
    std::vector<test::Thread> threads;
    std::atomic<int> begun = 0;
    for (int i = 0; i < 6; ++i)
        threads.emplace_back([&, i] {
            db::Connection each(database.config());
            const auto change = db::in_transaction(each, [&] {
                return identity::EmailChanges(each).begin(user.id, std::to_string(i) + "@example.net", clock.now());
            });
            if (change) ++begun;
        });
    for (auto& thread : threads) thread.join();
    BOOST_TEST(begun == identity::max_email_changes);
    BOOST_TEST(connection.query("SELECT COUNT(*) FROM email_changes WHERE expires_at > ?", {clock.now()}).at(0).integer(0) == 1);
}

BOOST_AUTO_TEST_CASE(whose_address_it_is_decides_when_the_letter_is_written) {
    const auto change = begin("Max@example.org").value();
    const auto max = add_user("max@example.org");
    BOOST_TEST(!changes.write_letter(change.id, clock.now())->token);
    BOOST_TEST(users.set_email(max.id, "max@example.net", clock.now()));
    const auto token = changes.write_letter(change.id, clock.now())->token.value();
    BOOST_TEST(users.set_email(max.id, "MAX@example.org", clock.now()));
    BOOST_TEST((std::get<identity::EmailFault>(changes.finish(session(), token, clock.now())) == identity::EmailFault::taken));
    BOOST_TEST(users.find(user.id)->email == "anna@example.org");
    // Another spelling of the own address is nobody else's.
    BOOST_TEST(std::get<std::string>(changes.finish(session(), token_for("Anna@example.org"), clock.now())) ==
               "Anna@example.org");
}

BOOST_AUTO_TEST_CASE(whatever_ends_all_sessions_ends_it) {
    const auto token = token_for("anna@example.net");
    sessions.end_all(user.id);
    BOOST_TEST(!changes.open(user.id, clock.now()));
    const auto later = changes.finish(session(), token, clock.now());
    BOOST_TEST((std::get<identity::EmailFault>(later) == identity::EmailFault::unknown_link));
}

BOOST_AUTO_TEST_CASE(no_letter_about_what_waits_no_more) {
    const auto first = begin("one@example.net").value(), second = begin("two@example.net").value();
    BOOST_TEST(!changes.write_letter(first.id, clock.now()));
    users.disable(user.id, clock.now());
    BOOST_TEST(!changes.write_letter(second.id, clock.now()));
}

BOOST_AUTO_TEST_CASE(they_go_once_they_count_no_more) {
    begin("anna@example.net");
    ctl::prune(connection, clock.now() + 60min);
    BOOST_TEST(rows() == 1);
    ctl::prune(connection, clock.now() + 60min + 1ms);
    BOOST_TEST(rows() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
