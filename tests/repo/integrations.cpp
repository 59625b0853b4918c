// Integrations: what tradepostctl does with them, and that nothing takes them for people.
#define BOOST_TEST_DYN_LINK
#include "identity/tokens/integrations.h"

#include <nlohmann/json.hpp>

#include "core/present.h"
#include "identity/people/members.h"
#include "identity/people/users.h"
#include "repo/ctl_support.h"
#include "resources/me/token_letters.h"

using namespace tradepost;

BOOST_FIXTURE_TEST_SUITE(integrations, test::CtlFixture)

BOOST_AUTO_TEST_CASE(commands) {
    const auto json = [](const test::CtlResult& result) {
        BOOST_TEST(result.error == "");
        return nlohmann::json::parse(result.out);
    };
    const auto added = json(ctl({"integration", "add", "--org", "north-tractors", "--name", "Feed", "--json"}));
    const std::string id = added.at("id");
    const auto minted = json(ctl(
        {"integration", "mint", "--org", "north-tractors", "--id", id, "--name", "March", "--scope", "stock:write", "--json"}));
    const auto whose = json(ctl({"token", "whois", "--json"}, minted.at("token")));
    BOOST_TEST(whose.at("user").dump() == R"({"email":null,"id":")" + id + R"(","name":"Feed"})");
    BOOST_TEST(whose.at("scopes").dump() == R"(["stock:write"])");
    BOOST_TEST(ctl({"token", "whois"}, minted.at("token")).out.starts_with("integration Feed\n"));

    const auto all = json(ctl({"integration", "list", "--org", "north-tractors", "--json"}));
    BOOST_TEST(all.size() == 1U);
    BOOST_TEST(all[0].at("tokens")[0].at("id") == minted.at("id"));
    BOOST_TEST(json(ctl({"integration", "list", "--org", "south-marine", "--json"})).empty());

    fails(ctl({"integration", "mint", "--org", "south-marine", "--id", id, "--name", "x"}), 1, "there is no integration");
    fails(ctl({"integration", "remove", "--org", "south-marine", "--id", id}), 1, "there is no integration");
    fails(ctl({"integration", "remove", "--org", "north-tractors", "--id", "x"}), 2, "--id");
    fails(ctl({"integration", "mint", "--org", "north-tractors", "--id", id, "--name", "x", "--scope", "stock"}), 2, "--scope");
    BOOST_TEST(ctl({"integration", "remove", "--org", "north-tractors", "--id", id}).code == 0);
    fails(ctl({"token", "whois"}, minted.at("token")), 1, "unknown");
    BOOST_TEST(value("GROUP_CONCAT(event ORDER BY id) FROM audit_log") ==
               "integration_added,membership_added,token_minted,integration_removed");
}

BOOST_AUTO_TEST_CASE(nothing_takes_them_for_people) {
    const auto organisation = core::present(identity::Organisations(connection).find_by_slug("north-tractors")).id;
    const auto added =
        db::in_transaction(connection, [&] { return identity::Integrations(connection).add(organisation, "Feed", clock.now()); });
    const auto id = core::present(added).id;
    BOOST_TEST(!identity::Users(connection).find(id));
    BOOST_TEST(!identity::Users(connection).find_by_email(""));
    BOOST_TEST(identity::Members(connection).of_organisation(organisation).empty());
    BOOST_TEST(ctl({"user", "list", "--json"}).out == "[]\n");
    BOOST_TEST(exported("users").empty());

    // Not by a row that was changed by hand either.
    connection.execute("UPDATE memberships SET role = 'ADMIN' WHERE user_id = ?", {id});
    db::in_transaction(connection, [&] {
        BOOST_TEST(!identity::Members(connection).has_other_admin(organisation, core::Uuid::v7(clock.now())));
    });

    // An import does not make a person of it, who could sign in and would have its tokens.
    const auto refused = import(ctl::import_users, R"({"id":")" + id.to_string() + R"(","email":"a@b.example","name":"A"})");
    BOOST_TEST(refused.find("an id is that of an integration") != std::string::npos, refused);
    BOOST_TEST(value("COUNT(*) FROM users WHERE email IS NULL") == "1");
    BOOST_TEST(value("COUNT(*) FROM users") == "1");
}

// A program has its ADMINs, a person is told directly, and webhooks are told of both.
BOOST_AUTO_TEST_CASE(owners_are_told_before_a_token_ends) {
    const auto id = nlohmann::json::parse(ctl({"integration", "add", "--org", "north-tractors", "--name", "Feed", "--json"}).out)
                        .at("id")
                        .get<std::string>();
    const auto mint = [&](const char* name) {
        return nlohmann::json::parse(
                   ctl({"integration", "mint", "--org", "north-tractors", "--id", id, "--name", name, "--json"}).out)
            .at("id")
            .get<std::string>();
    };
    const auto used = mint("used"), unused = mint("unused"), revoked = mint("revoked"), rotated = mint("rotated");
    const auto update = [&](const std::string& token, const std::string& set) {
        connection.execute("UPDATE api_tokens SET " + set + " WHERE id = ?", {core::present(core::Uuid::parse(token))});
    };
    const auto now = clock.now();
    connection.execute("UPDATE api_tokens SET expires_at = ?, last_used_at = ?",
                       {now + std::chrono::days(14), now - std::chrono::days(1)});
    update(unused, "last_used_at = NULL");
    update(revoked, "revoked_at = created_at");
    update(rotated, "expiry_notices = 2");
    connection.execute(
        "INSERT INTO webhooks (id, organisation_id, url, events, active, created_at, updated_at) SELECT id, id, "
        "'https://a.example/', '[\"token.expiring\"]', 1, created_at, created_at FROM organisations WHERE slug = "
        "'north-tractors'",
        {});
    const identity::User admin{core::Uuid::v7(now), "ada@example.org", "Ada", {}, {}, now, now};
    identity::Users(connection).insert(admin);
    connection.execute(
        "INSERT INTO memberships (user_id, organisation_id, role, created_at) SELECT ?, id, 'ADMIN', created_at FROM "
        "organisations WHERE slug = 'north-tractors'",
        {admin.id});
    BOOST_TEST(value("COUNT(*) FROM webhooks") == "1");
    const auto letters = [&] {
        return value(
            "CONCAT(COUNT(*), ' ', COUNT(DISTINCT JSON_EXTRACT(payload, '$.tokenId'))) FROM outbox_messages WHERE kind = "
            "'mail token'");
    };
    const auto admins = value(
        "COUNT(*) FROM memberships m JOIN organisations o ON o.id = m.organisation_id WHERE o.slug = "
        "'north-tractors' AND m.role = 'ADMIN'");
    BOOST_TEST(me::tell_of_expiring(connection, now - std::chrono::milliseconds(1)) == 0U);
    BOOST_TEST(me::tell_of_expiring(connection, now) == 1U);
    BOOST_TEST(letters() == admins + " 1");
    const auto told = value("payloads FROM outbox_bundles");
    BOOST_TEST(told.find(R"({"type":"token.expiring")") == 0U);
    BOOST_TEST(told.find(R"("data":{"id":")" + used + R"(","name":"used")") != std::string::npos);
    BOOST_TEST(told.find(R"("user":{"id":")" + id + R"(","name":"Feed"})") != std::string::npos);

    // Once, and once more three days before.
    BOOST_TEST(me::tell_of_expiring(connection, now + std::chrono::days(10)) == 0U);
    BOOST_TEST(me::tell_of_expiring(connection, now + std::chrono::days(11)) == 1U);
    BOOST_TEST(me::tell_of_expiring(connection, now + std::chrono::days(11)) == 0U);
    BOOST_TEST(letters() == std::to_string(2 * std::stoi(admins)) + " 1");
}

BOOST_AUTO_TEST_SUITE_END()
