// What ends with the rights of an ADMIN: invitations, tokens of integrations if that is wanted, confirmations of sessions.
#define BOOST_TEST_DYN_LINK
#include "identity/tokens/issued.h"

#include <boost/test/unit_test.hpp>
#include <functional>

#include "app.h"
#include "core/hex.h"
#include "core/present.h"
#include "ctl/import/import.h"
#include "identity/people/invitations.h"
#include "identity/people/users.h"
#include "identity/sessions/second_factors.h"
#include "identity/sessions/sessions.h"
#include "identity/tokens/integrations.h"
#include "identity/tokens/tokens.h"
#include "repo/application.h"
#include "repo/ctl_support.h"

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

// An ADMIN who has issued something.
struct Issuer {
    core::Uuid id;
    std::string email, invitation, token;  // what is in the links and given to programs
};

struct Fixture : test::CtlFixture {
    core::SystemClock clock;  // that of tradepostctl
    core::Time now = clock.now();
    core::Uuid north = core::present(identity::Organisations(connection).find_by_slug("north-tractors")).id;
    core::Uuid feed = core::present(db::in_transaction(connection, [&] {
                          return identity::Integrations(connection).add(north, "Feed", now);
                      })).id;
    core::Uuid boss = add_admin("boss@example.org");
    std::string boss_token = core::present(identity::Tokens(connection).mint(boss, "T", clock)).plain;
    core::Config app_config;
    test::Unlimited limiter;
    int count = 0;

    core::Uuid add_admin(const std::string& email) {
        identity::User user;
        user.id = core::Uuid::v7(now);
        user.email = user.name = email;
        user.password_hash = "hash";
        user.created_at = user.updated_at = now;
        identity::Users(connection).insert(user);
        db::in_transaction(connection,
                           [&] { identity::Memberships(connection).add(user.id, north, identity::Role::admin, now); });
        return user.id;
    }

    void add_second_factor(const core::Uuid& user) {
        connection.execute("INSERT INTO second_factors (user_id, secret, created_at, enabled_at) VALUES (?, 's', ?, ?)",
                           {user, now, now});
    }

    Issuer add_issuer() {
        Issuer issuer;
        issuer.email = "admin-" + std::to_string(++count) + "@example.org";
        issuer.id = add_admin(issuer.email);
        const auto invitation = core::Uuid::v7(now);
        db::in_transaction(connection, [&] {
            identity::Invitations(connection)
                .put({invitation, north, "second-" + issuer.email, identity::Role::admin, now, now + 24h}, issuer.id);
        });
        issuer.invitation = core::present(identity::Invitations(connection).write_letter(invitation, now)).token;
        issuer.token = core::present(db::in_transaction(connection, [&] {
                           return identity::mint_within(connection, feed, "March", clock,
                                                        {.minter = identity::Minter{issuer.id, issuer.email}}, {});
                       })).plain;
        BOOST_TEST(identity::Sessions(connection).begin(issuer.id, "hash", {"192.0.2.1", ""}, now).has_value());
        BOOST_TEST(confirmed_sessions(issuer) == 1);
        BOOST_TEST(identity::Invitations(connection).find(issuer.invitation, now).has_value());
        return issuer;
    }

    std::int64_t confirmed_sessions(const Issuer& issuer) {
        return connection
            .query("SELECT COUNT(*) FROM sessions WHERE user_id = ? AND COALESCE(confirmed_at, created_at) > ?",
                   {issuer.id, now - identity::confirmation_lifetime})
            .at(0)
            .integer(0);
    }

    bool works(const std::string& token) {
        return identity::Tokens(connection).find_active(identity::token_hash(token), now).has_value();
    }

    std::int64_t rows(const std::string& from, std::initializer_list<db::Value> values) {
        return connection.query("SELECT COUNT(*) FROM " + from, values).at(0).integer(0);
    }

    void request(const std::string& method, const Issuer& issuer, const std::string& token, const std::string& body,
                 bool revoke) {
        app_config.database = database.config();
        App app(app_config, clock, limiter);
        http::Request request;
        request.method = method;
        request.target = "/api/v1/accounts/members/" + issuer.id.to_string() + (revoke ? "?revokeIntegrationTokens=true" : "");
        request.headers = {{"authorization", "Bearer " + token}, {"content-type", "application/json"}};
        request.body = body;
        const auto response = app.handle(request);
        BOOST_TEST(response.status == 200, response.body);
    }

    void command(std::vector<std::string> arguments, bool revoke) {
        if (revoke) arguments.emplace_back("--revoke-integration-tokens");
        const auto result = ctl(arguments);
        BOOST_TEST(result.code == 0, result.error);
        // What lives on is named, with the id that ends it.
        BOOST_TEST((result.out.find("March") != std::string::npos) == !revoke, result.out);
    }

    struct Ending {
        std::string name;
        std::function<void(const Issuer&, bool revoke)> end;
        bool may_revoke = true;
    };

    std::vector<Ending> endings() {
        const auto line = [](const Issuer& issuer, const std::string& rest) {
            return R"({"email":")" + issuer.email + R"(","name":"A",)" + rest + "}\n";
        };
        return {
            {"org remove-member",
             [&](const Issuer& issuer, bool revoke) {
                 command({"org", "remove-member", "--org", "north-tractors", "--email", issuer.email}, revoke);
             }},
            {"org add-member --role MEMBER",
             [&](const Issuer& issuer, bool revoke) {
                 command({"org", "add-member", "--org", "north-tractors", "--email", issuer.email, "--role", "MEMBER"}, revoke);
             }},
            {"user disable",
             [&](const Issuer& issuer, bool revoke) {
                 command({"user", "disable", "--email", issuer.email}, revoke);
             }},
            {"erase",
             [&](const Issuer& issuer, bool revoke) {
                 command({"erase", "--email", issuer.email}, revoke);
             }},
            {"import without the organisation",
             [&, line](const Issuer& issuer, bool) {
                 BOOST_TEST(import(ctl::import_users, line(issuer, R"("organisations":[])")) == "0/1/0");
             },
             false},
            {"import with another role",
             [&, line](const Issuer& issuer, bool) {
                 const auto member = line(issuer, R"("organisations":[{"organisation":"north-tractors","role":"MEMBER"}])");
                 BOOST_TEST(import(ctl::import_users, member) == "0/1/0");
             },
             false},
            {"import as disabled",
             [&, line](const Issuer& issuer, bool) {
                 BOOST_TEST(import(ctl::import_users, line(issuer, R"("disabledAt":"2026-01-01T00:00:00Z")")) == "0/1/0");
             },
             false},
            {"user remove-second-factor",
             [&](const Issuer& issuer, bool revoke) {
                 add_second_factor(issuer.id);
                 connection.execute("UPDATE organisations SET second_factor_required = 1 WHERE id = ?", {north});
                 command({"user", "remove-second-factor", "--email", issuer.email}, revoke);
                 connection.execute("UPDATE organisations SET second_factor_required = 0 WHERE id = ?", {north});
             }},
            {"a second factor is required",
             [&](const Issuer&, bool) {
                 BOOST_TEST(identity::Memberships(connection).require_second_factor(boss, north, true, now));
                 connection.execute("UPDATE organisations SET second_factor_required = 0 WHERE id = ?", {north});
             },
             false},
            {"DELETE by another ADMIN",
             [&](const Issuer& issuer, bool revoke) { request("DELETE", issuer, boss_token, "", revoke); }},
            {"PATCH by another ADMIN",
             [&](const Issuer& issuer, bool revoke) { request("PATCH", issuer, boss_token, R"({"role":"MEMBER"})", revoke); }},
            {"DELETE of oneself",
             [&](const Issuer& issuer, bool revoke) {
                 const auto own = core::present(identity::Tokens(connection).mint(issuer.id, "T", clock)).plain;
                 request("DELETE", issuer, own, "", revoke);
             }},
        };
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(issued, Fixture)

BOOST_AUTO_TEST_CASE(it_ends_with_the_right_to_issue_it) {
    add_second_factor(boss);
    for (const bool revoke : {false, true})
        for (const auto& ending : endings()) BOOST_TEST_CONTEXT(ending.name << (revoke ? ", tokens revoked" : "")) {
                if (revoke && !ending.may_revoke) continue;
                const auto issuer = add_issuer();
                ending.end(issuer, revoke);
                BOOST_TEST(rows("invitations WHERE invited_by = ? OR email = ?", {issuer.id, "second-" + issuer.email}) == 0);
                BOOST_TEST(!identity::Invitations(connection).find(issuer.invitation, now));
                BOOST_TEST(confirmed_sessions(issuer) == 0);
                BOOST_TEST(works(issuer.token) == !revoke);
                connection.execute("DELETE FROM api_tokens WHERE user_id = ?", {feed});
            }
}

BOOST_AUTO_TEST_CASE(what_others_and_elsewhere_was_issued_stays) {
    const auto other = add_issuer(), leaving = add_issuer();
    const auto south = core::present(identity::Organisations(connection).find_by_slug("south-marine")).id;
    db::in_transaction(connection, [&] {
        identity::Memberships(connection).add(leaving.id, south, identity::Role::admin, now);
        identity::Invitations(connection)
            .put({core::Uuid::v7(now), south, "new@example.org", identity::Role::member, now, now + 24h}, leaving.id);
    });
    command({"org", "remove-member", "--org", "north-tractors", "--email", leaving.email}, true);
    BOOST_TEST(works(other.token));
    BOOST_TEST(identity::Invitations(connection).find(other.invitation, now).has_value());
    BOOST_TEST(confirmed_sessions(other) == 1);
    BOOST_TEST(rows("invitations WHERE organisation_id = ?", {south}) == 1);
    BOOST_TEST(rows("sessions WHERE user_id = ?", {leaving.id}) == 1);
}

// Whatever took the right away, and left the row.
BOOST_AUTO_TEST_CASE(an_invitation_stands_only_while_its_sender_may_invite) {
    const auto issuer = add_issuer();
    identity::Invitations invitations(connection);
    const auto id = core::present(invitations.find(issuer.invitation, now)).id;
    const std::pair<std::string, std::string> changes[] = {
        {"UPDATE memberships SET role = 'MEMBER' WHERE user_id = ?", "UPDATE memberships SET role = 'ADMIN' WHERE user_id = ?"},
        {"UPDATE users SET disabled_at = created_at WHERE id = ?", "UPDATE users SET disabled_at = NULL WHERE id = ?"},
        {"UPDATE organisations SET second_factor_required = 1 WHERE ? IS NOT NULL",
         "UPDATE organisations SET second_factor_required = 0 WHERE ? IS NOT NULL"},
        {"UPDATE invitations SET invited_by = NULL WHERE invited_by = ?",
         "UPDATE invitations SET invited_by = ? WHERE invited_by IS NULL"},
    };
    for (const auto& [taken, given_back] : changes) BOOST_TEST_CONTEXT(taken) {
            connection.execute(taken, {issuer.id});
            BOOST_TEST(!invitations.find(issuer.invitation, now));
            BOOST_TEST(!db::in_transaction(connection, [&] { return invitations.take(issuer.invitation, now); }));
            BOOST_TEST(!invitations.write_letter(id, now));
            connection.execute(given_back, {issuer.id});
            BOOST_TEST(invitations.find(issuer.invitation, now).has_value());
        }
    BOOST_TEST(db::in_transaction(connection, [&] { return invitations.take(issuer.invitation, now); }).has_value());
}

BOOST_AUTO_TEST_CASE(a_list_tells_who_created_a_token) {
    const auto issuer = add_issuer();
    BOOST_TEST(ctl({"integration", "list", "--org", "north-tractors", "--json"}).out.find(issuer.email) != std::string::npos);
    ctl({"erase", "--email", issuer.email});
    const auto tokens = identity::Integrations(connection).of_organisation(north, now).at(0).tokens;
    BOOST_TEST(tokens.size() == 1u);
    BOOST_TEST(!tokens.at(0).minter);
}

BOOST_AUTO_TEST_SUITE_END()
