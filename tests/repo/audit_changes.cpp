// What is recorded with tokens and memberships: in their transactions, and only what happened.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "audit/record.h"
#include "repo/auth_support.h"

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

struct Fixture : test::AuthFixture {
    const identity::User user = add_user("anna@example.org", "hash");
    const audit::Acting acting{{.actor = user.id.to_string(), .address = "192.0.2.7", .request_id = "r-1"}};

    // The events since the last call, as "event target detail".
    std::string events() {
        std::string all;
        for (const auto& row : other.query("SELECT event, target_id, detail, user_id, actor FROM audit_log ORDER BY id")) {
            const auto target = row.opt_uuid(1);
            all += row.text(0) + " " + (target ? target->to_string() : "-") + " " + row.text(2) + "; ";
            BOOST_TEST((row.uuid(3) == user.id));
            BOOST_TEST(row.text(4) == user.id.to_string());
        }
        other.execute("DELETE FROM audit_log");
        return all;
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(audit_changes, Fixture)

BOOST_AUTO_TEST_CASE(tokens_minted_and_removed) {
    const auto first = tokens.mint(user.id, "Feed", clock).value().token;
    BOOST_TEST(events() == "token_minted " + first.id.to_string() + " Feed; ");
    for (int i = 0; i < 9; ++i) tokens.mint(user.id, {}, clock);
    events();
    // The eleventh pushes out the first. A verified password is a sign-in.
    const auto last = tokens.mint(user.id, {}, clock, {.password_hash = "hash"}).value().token;
    BOOST_TEST(events() ==
               "sign_in - API; token_minted " + last.id.to_string() + " -; token_removed " + first.id.to_string() + " -; ");
    BOOST_TEST(!tokens.mint(user.id, {}, clock, {.password_hash = "another"}));
    BOOST_TEST(events() == "");
}

BOOST_AUTO_TEST_CASE(tokens_revoked) {
    const auto one = tokens.mint(user.id, {}, clock).value().token, two = tokens.mint(user.id, {}, clock).value().token;
    events();
    for (int i = 0; i < 2; ++i) tokens.revoke(one.id, clock.now());
    for (int i = 0; i < 2; ++i) tokens.revoke_own(user.id, two.id, clock.now());
    tokens.revoke_own(core::Uuid::v7(clock.now()), one.id, clock.now());
    BOOST_TEST(events() == "token_revoked " + one.id.to_string() + " -; token_revoked " + two.id.to_string() + " -; ");
}

// Without a record there is no change.
BOOST_AUTO_TEST_CASE(nothing_changes_unrecorded) {
    const auto token = tokens.mint(user.id, {}, clock).value().token;
    connection.execute("CREATE TEMPORARY TABLE audit_log (id INT PRIMARY KEY)");
    BOOST_CHECK_THROW(tokens.mint(user.id, {}, clock), db::Error);
    BOOST_CHECK_THROW(tokens.revoke(token.id, clock.now()), db::Error);
    BOOST_CHECK_THROW(tokens.revoke_own(user.id, token.id, clock.now()), db::Error);
    identity::Tokens elsewhere(other);
    BOOST_REQUIRE(elsewhere.list(user.id).size() == 1u);
    BOOST_TEST(!elsewhere.list(user.id).at(0).revoked_at);
}

BOOST_AUTO_TEST_SUITE_END()
