// What tradepostctl records in the audit log, and how it shows it.
#define BOOST_TEST_DYN_LINK
#include <pwd.h>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "audit/record.h"
#include "core/crypto.h"
#include "identity/people/users.h"
#include "repo/auth_support.h"
#include "repo/ctl_support.h"

using namespace tradepost;
using namespace std::chrono_literals;
using audit::Event;

namespace {

struct Fixture : test::CtlFixture {
    // The events since the last call, as "event detail", in the order in which they were recorded.
    std::string events() {
        std::string all;
        for (const auto& row : connection.query("SELECT event, detail, actor FROM audit_log ORDER BY id")) {
            all += row.text(0) + " " + row.text(1) + "; ";
            BOOST_TEST(row.text(2) == me);
        }
        connection.execute("DELETE FROM audit_log");
        return all;
    }
    core::Uuid add_user(const std::string& email) {
        const auto added = ctl({"user", "add", "--email", email, "--name", "Anna", "--password-stdin"}, password + "\n");
        BOOST_TEST_REQUIRE(added.code == 0, added.error);
        return identity::Users(connection).find_by_email(email)->id;
    }
    // One event, as of `at`.
    void record(const char* at, const char* address, const audit::Entry& entry) {
        const audit::Acting acting({.address = address, .request_id = "r-1"});
        test::errors_of([&] { audit::record(connection, *core::parse_rfc3339(at), entry); });
    }

    const std::string me = std::string("ctl:") + getpwuid(geteuid())->pw_name;
    const std::string password = "four words of nonsense";
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(ctl_audit, Fixture)

BOOST_AUTO_TEST_CASE(commands_record_what_they_change) {
    add_user("anna@example.org");
    BOOST_TEST(events() == "user_added -; ");
    const auto member = [&](const char* role) {
        return ctl({"org", "add-member", "--org", "north-tractors", "--email", "anna@example.org", "--role", role});
    };
    member("MEMBER");
    BOOST_TEST(events() == "membership_added MEMBER; ");
    member("MEMBER");
    BOOST_TEST(events() == "");
    member("ADMIN");
    BOOST_TEST(events() == "role_changed ADMIN; ");
    for (int i = 0; i < 2; ++i) ctl({"org", "remove-member", "--org", "north-tractors", "--email", "anna@example.org"});
    BOOST_TEST(events() == "membership_removed ADMIN; ");

    const auto minted = ctl({"token", "mint", "--email", "anna@example.org", "--name", "Feed", "--json"});
    BOOST_TEST(events() == "token_minted Feed; ");
    const auto id = nlohmann::json::parse(minted.out)["id"].get<std::string>();
    for (int i = 0; i < 2; ++i) ctl({"token", "revoke", "--id", id});
    BOOST_TEST(events() == "token_revoked -; ");
    ctl({"user", "set-password", "--email", "anna@example.org", "--password-stdin"}, "five other words of nonsense\n");
    BOOST_TEST(events() == "password_changed -; ");
    ctl({"user", "disable", "--email", "anna@example.org"});
    BOOST_TEST(events() == "user_disabled -; ");

    std::ofstream(path) << R"({"slug":"a","title":"A"})"
                           "\n";
    ctl({"import", "posts", path});
    BOOST_TEST(events() == "imported posts: 1 added, 0 changed; ");
    std::ofstream(path) << "nonsense\n";
    ctl({"import", "posts", path});
    BOOST_TEST(events() == "");
    ctl({"export", "users", path});
    ctl({"export", "users", path, "--with-password-hashes"});
    BOOST_TEST(events() == "exported users; exported users with password hashes; ");
    // It may have been read up to the failure.
    ctl({"export", "posts", "/nonexistent/file"});
    BOOST_TEST(events() == "exported posts; ");
}

BOOST_AUTO_TEST_CASE(an_import_records_what_it_changes_of_users) {
    const auto id = add_user("anna@example.org");
    const auto import = [&](const std::string& rest) {
        events();
        std::ofstream(path) << R"({"email":"anna@example.org","name":"Anna")" << rest << "}\n";
        const auto result = ctl({"import", "users", path});
        BOOST_TEST(result.code == 0, result.error);
        return events();
    };
    const std::string summary = "imported users: 0 added, 1 changed; ";
    BOOST_TEST(import(R"(,"organisations":[{"organisation":"north-tractors","role":"MEMBER"}])") ==
               "membership_added MEMBER; " + summary);
    BOOST_TEST(import(R"(,"organisations":[{"organisation":"north-tractors","role":"ADMIN"}])") ==
               "role_changed ADMIN; " + summary);
    BOOST_TEST(import(R"(,"organisations":[])") == "membership_removed ADMIN; " + summary);
    BOOST_TEST(import(R"(,"disabledAt":"2026-01-01T00:00:00Z")") == "user_disabled -; " + summary);
    BOOST_TEST(import(R"(,"disabledAt":null)") == "user_enabled -; " + summary);
    BOOST_TEST(import(R"(,"passwordHash":"$2y$10$abcdefghijklmnopqrstuuZqu9oK1OUk0wWn3kJfPvNrcr0CUfdCu")") ==
               "password_changed -; " + summary);
    BOOST_TEST(import("") == "imported users: 0 added, 0 changed; ");
    std::ofstream(path)
        << R"({"email":"ben@example.org","name":"B","organisations":[{"organisation":"north-tractors","role":"ADMIN"}]})";
    ctl({"import", "users", path});
    BOOST_TEST(events() == "imported users: 1 added, 0 changed; ");
    BOOST_TEST(identity::Users(connection).find(id).has_value());
}

BOOST_AUTO_TEST_CASE(a_line_of_each_and_no_secret) {
    std::string token;
    const auto lines = test::errors_of([&] {
        add_user("anna@example.org");
        token = ctl({"token", "mint", "--email", "anna@example.org", "--name", "Feed"}).out.substr(0, 64);
    });
    const auto user = identity::Users(connection).find_by_email("anna@example.org").value();
    const auto rest = " organisation=- address=- request=- detail=";
    const auto minted = connection.query("SELECT id FROM api_tokens").at(0).uuid(0);
    BOOST_TEST(lines == "level=info event=audit.user_added actor=" + me + " user=" + user.id.to_string() + " target=-" + rest +
                            "-\n" + "level=info event=audit.token_minted actor=" + me + " user=" + user.id.to_string() +
                            " target=" + minted.to_string() + rest + "Feed\n");
    const auto shown = ctl({"audit", "--json"}).out;
    for (const auto& secret : {token, core::to_hex(core::sha256(token)), password, *user.password_hash})
        BOOST_TEST((lines + shown).find(secret) == std::string::npos, secret);
}

BOOST_AUTO_TEST_CASE(audit_shows_the_newest_last) {
    const auto id = add_user("anna@example.org");
    const auto organisation = identity::Organisations(connection).find_by_slug("north-tractors")->id;
    events();
    record("2026-01-01T10:00:00Z", "192.0.2.7", {.event = Event::sign_in, .user = id, .detail = "API"});
    record("2026-01-01T11:00:00Z", "192.0.2.8",
           {.event = Event::role_changed, .user = id, .organisation = organisation, .detail = "ADMIN"});
    record("2026-01-01T12:00:00Z", "192.0.2.8", {.event = Event::exported, .detail = "users"});
    BOOST_TEST(
        ctl({"audit"}).out ==
        "at                        event         times  actor             user              organisation    address    detail\n"
        "2026-01-01T10:00:00.000Z  sign_in       1      anna@example.org  anna@example.org  -               192.0.2.7  API\n"
        "2026-01-01T11:00:00.000Z  role_changed  1      anna@example.org  anna@example.org  north-tractors  192.0.2.8  ADMIN\n"
        "2026-01-01T12:00:00.000Z  exported      1      -                 -                 -               192.0.2.8  users\n");
    BOOST_TEST(
        ctl({"audit", "--limit", "1", "--json", "--event", "role_changed"}).out ==
        "[{\"at\":\"2026-01-01T11:00:00.000Z\",\"firstAt\":\"2026-01-01T11:00:00.000Z\",\"times\":1,\"event\":\"role_changed\","
        "\"actor\":\"" +
            id.to_string() + "\",\"actorEmail\":\"anna@example.org\",\"userId\":\"" + id.to_string() +
            "\",\"userEmail\":\"anna@example.org\",\"targetId\":null,\"organisationId\":\"" + organisation.to_string() +
            "\",\"organisation\":\"north-tractors\",\"address\":\"192.0.2.8\",\"requestId\":\"r-1\",\"detail\":\"ADMIN\"}]\n");

    const auto shown = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {"audit", "--json"});
        std::string names;
        for (const auto& each : nlohmann::json::parse(ctl(arguments).out)) names += each["event"].get<std::string>() + " ";
        return names;
    };
    BOOST_TEST(shown({"--limit", "2"}) == "role_changed exported ");
    BOOST_TEST(shown({"--since", "2026-01-01T11:00:00Z"}) == "role_changed exported ");
    BOOST_TEST(shown({"--since", "2026-01-02"}) == "");
    BOOST_TEST(shown({"--address", "192.0.2.7"}) == "sign_in ");
    BOOST_TEST(shown({"--event", "exported"}) == "exported ");
    BOOST_TEST(shown({"--user", "Anna@Example.org", "--address", "192.0.2.8"}) == "role_changed ");
    // What was recorded outlives the account.
    connection.execute("DELETE FROM users WHERE id = ?", {id});
    BOOST_TEST(shown({"--user", id.to_string()}) == "sign_in role_changed ");
    BOOST_TEST(ctl({"audit", "--limit", "1", "--event", "sign_in"}).out.find(id.to_string() + "  " + id.to_string() + "  ") !=
               std::string::npos);
}

// Those whom a user did it to, too.
BOOST_AUTO_TEST_CASE(audit_of_a_user_has_what_the_user_did) {
    const auto anna = add_user("anna@example.org"), ben = add_user("ben@example.org");
    events();
    {
        const audit::Acting acting({.actor = anna.to_string()});
        audit::record(connection, clock.now(), {.event = Event::membership_removed, .user = ben});
    }
    for (const auto* email : {"anna@example.org", "ben@example.org"})
        BOOST_TEST(nlohmann::json::parse(ctl({"audit", "--json", "--user", email}).out).size() == 1u);
}

BOOST_AUTO_TEST_CASE(audit_refuses_wrong_usage) {
    fails(ctl({"audit", "--since", "yesterday"}), 2, "--since: must be a date or an RFC 3339 time");
    fails(ctl({"audit", "--event", "sign-in"}), 2, "--event: must be one of sign_in, sign_in_failed, ");
    fails(ctl({"audit", "--limit", "0"}), 2, "--limit");
    fails(ctl({"audit", "--user", "nobody@example.org"}), 1, "there is no user nobody@example.org");
    fails(ctl({"audit", "--user", "nobody"}), 2, "--user: must be an email address or a user's id");
    BOOST_TEST(ctl({"audit"}).out == "");
    BOOST_TEST(ctl({"audit", "--json"}).out == "[]\n");
}

BOOST_AUTO_TEST_SUITE_END()
