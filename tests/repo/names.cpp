// Names of organisations and users stand in emails to people who know neither: they hold no link and no address, wherever they are set.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <functional>

#include "app.h"
#include "core/hex.h"
#include "core/present.h"
#include "ctl/import/import.h"
#include "identity/people/invitations.h"
#include "identity/people/members.h"
#include "identity/people/users.h"
#include "identity/sessions/sessions.h"
#include "json/parse.h"
#include "repo/application.h"
#include "repo/ctl_support.h"

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

constexpr const char* fault = "must not contain ://, www. or @";

struct Place {
    std::string what;
    std::function<std::string(const std::string& name)> set;  // returns what the client or operator is told
    std::string refusal;                                      // what comes before the fault
};

struct Fixture : test::CtlFixture {
    core::SystemClock clock;  // that of tradepostctl
    core::Time now = clock.now();
    core::Uuid north = core::present(identity::Organisations(connection).find_by_slug("north-tractors")).id;
    core::Uuid admin = add_admin();
    identity::MintedSession session = core::present(identity::Sessions(connection).begin(admin, "hash", {"192.0.2.1", ""}, now));
    core::Config app_config = [this] {
        core::Config made;
        made.database = database.config();
        made.auth.argon2_memory_kib = 8192;
        made.auth.argon2_passes = 1;
        return made;
    }();
    test::Unlimited limiter;
    App app{app_config, clock, limiter};
    int count = 0;

    core::Uuid add_admin() {
        identity::User user;
        user.id = core::Uuid::v7(now);
        user.email = "admin@example.org";
        user.name = "Ada";
        user.password_hash = "hash";
        user.created_at = user.updated_at = now;
        identity::Users(connection).insert(user);
        db::in_transaction(connection,
                           [&] { identity::Memberships(connection).add(user.id, north, identity::Role::admin, now); });
        return user.id;
    }

    std::string request(const char* method, const std::string& target, const json::Json& body, bool signed_in = true) {
        http::Request request;
        request.method = method;
        request.target = target;
        request.headers = {{"content-type", "application/json"}};
        if (signed_in) {
            request.headers.emplace_back("cookie", "__Host-session=" + session.plain);
            request.headers.emplace_back("x-csrf-token", core::to_hex(session.session.csrf_token));
        }
        request.body = json::dump(body);
        const auto response = app.handle(request);
        return response.status == 200 ? "" : json::parse(response.body).at("error").get<std::string>();
    }

    std::string command(const std::vector<std::string>& arguments, const std::string& input = "") {
        const auto result = ctl(arguments, input);
        return result.code == 0 ? "" : result.error;
    }

    std::string imported(Importer importer, const json::Json& line) {
        const auto result = import(importer, json::dump(line) + "\n");
        return result == "1/0/0" ? "" : result;
    }

    std::string accept(const std::string& name) {
        const auto id = core::Uuid::v7(now);
        const auto email = "new-" + std::to_string(++count) + "@example.org";
        db::in_transaction(connection, [&] {
            identity::Invitations(connection).put({id, north, email, identity::Role::member, now, now + 24h}, admin);
        });
        const auto token = core::present(identity::Invitations(connection).write_letter(id, now)).token;
        return request("POST", "/dashboard/api/invitation/" + token, {{"name", name}, {"password", "entirely different horse"}},
                       false);
    }

    std::vector<Place> places() {
        const auto next = [this] { return std::to_string(++count); };
        return {
            {"PATCH /accounts",
             [&](const std::string& name) {
                 return request("PATCH", "/api/v1/accounts", {{"name", name}});
             },
             "Invalid field: name: "},
            {"PATCH /dashboard/api/profile",
             [&](const std::string& name) {
                 return request("PATCH", "/dashboard/api/profile", {{"name", name}});
             },
             "Invalid field: name: "},
            {"POST /dashboard/api/invitation", [&](const std::string& name) { return accept(name); }, "Invalid field: name: "},
            {"org add",
             [&, next](const std::string& name) {
                 return command({"org", "add", "--name", name, "--slug", "made-" + next()});
             },
             "--name: "},
            {"user add",
             [&, next](const std::string& name) {
                 return command({"user", "add", "--email", "u" + next() + "@example.org", "--name", name, "--password-stdin"},
                                "entirely different horse\n");
             },
             "--name: "},
            {"import organisations",
             [&, next](const std::string& name) {
                 return imported(ctl::import_organisations, {{"slug", "imported-" + next()}, {"name", name}});
             },
             "name: "},
            {"import users",
             [&, next](const std::string& name) {
                 return imported(ctl::import_users, {{"email", "i" + next() + "@example.org"}, {"name", name}});
             },
             "name: "},
        };
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(names, Fixture)

BOOST_AUTO_TEST_CASE(no_link_and_no_address_wherever_a_name_is_set) {
    const char* const refused[] = {"Ashford, verify at https://evil.example/login",
                                   "FTP://x",
                                   "a://b",
                                   "www.evil.example",
                                   "See (WwW.evil.example)",
                                   "Ashford -www.evil",
                                   "ada@example.org",
                                   "@",
                                   "ada＠example",
                                   "a：／／b"};
    const char* const accepted[] = {"Ashford: / Motors", "Awww. Sweet", "wwwide", "O'Brien & Söhne (north) Ltd.",
                                    "ashford.example",   "a:/b"};
    for (const auto& place : places()) BOOST_TEST_CONTEXT(place.what) {
            for (const auto* name : refused) {
                const auto told = place.set(name);
                BOOST_TEST(told.find(place.refusal + fault) != std::string::npos, name << ": " << told);
            }
            for (const auto* name : accepted) BOOST_TEST(place.set(name) == "", name);
        }
}

// A name of before the rule is shown, can be sent back as it is, and is left when it changes.
BOOST_AUTO_TEST_CASE(a_name_of_before_stays) {
    const std::string old = "Ashford www.ashford.example";
    connection.execute("UPDATE organisations SET name = ? WHERE id = ?", {old, north});
    BOOST_TEST(request("GET", "/api/v1/accounts", json::Json::object()) == "");
    BOOST_TEST(request("PATCH", "/api/v1/accounts", {{"name", old}, {"city", "Hull"}}) == "");
    BOOST_TEST(request("PATCH", "/api/v1/accounts", {{"name", old + " "}}) == std::string("Invalid field: name: ") + fault);
    BOOST_TEST(request("PATCH", "/api/v1/accounts", {{"name", "Ashford"}}) == "");
    BOOST_TEST(request("PATCH", "/api/v1/accounts", {{"name", old}}) == std::string("Invalid field: name: ") + fault);
}

BOOST_AUTO_TEST_SUITE_END()
