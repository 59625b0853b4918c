// Integrations: what tradepostctl does with them, and that nothing takes them for people.
#define BOOST_TEST_DYN_LINK
#include "identity/integrations.h"

#include <nlohmann/json.hpp>

#include "core/present.h"
#include "identity/members.h"
#include "identity/users.h"
#include "repo/ctl_support.h"

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

BOOST_AUTO_TEST_SUITE_END()
