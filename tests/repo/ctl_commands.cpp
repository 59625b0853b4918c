// tradepostctl as its users call it: exit codes, standard output, and errors of one line.
#define BOOST_TEST_DYN_LINK
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/clock.h"
#include "counts/counts.h"
#include "identity/tokens/tokens.h"
#include "outbox/queue.h"
#include "repo/ctl_support.h"
#include "support/recount.h"
#include "versions/shared_versions.h"

using namespace tradepost;

using test::CtlResult;

BOOST_FIXTURE_TEST_SUITE(ctl_commands, test::CtlFixture)

BOOST_AUTO_TEST_CASE(wrong_usage) {
    fails(bare({}), 2, "see tradepostctl --help");
    fails(bare({"status"}), 2, "--config FILE");
    fails(bare({"--instance", "../x", "status"}), 2, "--instance");
    fails(ctl({"--instance", "x", "status"}), 2, "keep one");
    fails(ctl({"user", "add", "--email", "a@b.example"}), 2, "--name");
    fails(ctl({"status", "--nonsense"}), 2, "--nonsense");
    fails(ctl({"user", "add", "--email", "nobody", "--name", "N", "--password-stdin"}), 2, "must be an email address");
    for (const char* bad : {"a@☕.example", "a\u00a0b@c.example", "a@b.example."}) {
        fails(ctl({"user", "add", "--email", bad, "--name", "N", "--password-stdin"}), 2, "must be an email address");
        fails(ctl({"user", "disable", "--email", bad}), 2, "is no email address");
        fails(ctl({"erase", "--email", bad}), 2, "must be an email address");
        fails(ctl({"mail", "test", "--to", bad}), 1, "no mail is sent");
        fails(ctl({"audit", "--user", bad}), 2, "must be an email address or a user's id");
    }
    fails(ctl({"demo", "--jobs", "many"}), 2, "--jobs");
    fails(ctl({"org", "add-member", "--org", "north-tractors", "--email", "a@b.example", "--role", "OWNER"}), 2,
          "ADMIN or MEMBER");
    BOOST_TEST(bare({"--help"}).code == 0);
}

// Without the workers' file it works and makes none; when that cannot be used they would not hear of what it changes.
BOOST_AUTO_TEST_CASE(the_workers_file_must_be_usable) {
    const auto file = config + ".limits:versions";
    BOOST_TEST(ctl({"org", "unpublish", "--org", "north-tractors"}).code == 0);
    BOOST_TEST(!std::filesystem::exists(file));
    std::filesystem::create_directory(file);
    fails(ctl({"org", "publish", "--org", "north-tractors"}), 1, file);
    std::filesystem::remove(file);
    BOOST_TEST(count("organisations WHERE slug = 'north-tractors' AND published = 1") == 0);

    versions::SharedVersions worker(file, versions::VersionsFile::WhenMissing::create);
    const auto before = worker.state("jobs");
    BOOST_TEST(ctl({"org", "publish", "--org", "north-tractors"}).code == 0);
    BOOST_TEST(worker.state("jobs").has_value());
    BOOST_CHECK(worker.state("jobs") != before);
    std::filesystem::remove(file);
}

BOOST_AUTO_TEST_CASE(databases_that_cannot_be_used) {
    fails(bare({"--config", "/nonexistent.toml", "status"}), 1, "/nonexistent.toml");
    std::ofstream(config) << "[database]\nsocket = \"/nonexistent\"\n";
    fails(ctl({"user", "list"}), 1, "cannot be reached");
    std::ofstream(config) << "[databse]\n";
    fails(ctl({"config", "check"}), 1, ":1: databse is not a section");
    std::ofstream(config) << "[http]\ntrusted_proxies = [\"::1\", \"10.0.0.0/33\"]\n";
    fails(ctl({"config", "check"}), 1, config + ": http.trusted_proxies: 10.0.0.0/33 is no network such as 10.0.0.0/8");
    for (const char* listen :
         {"8080", "127.0.0.1", "::1:80", "[127.0.0.1]:80", "host:80", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:80x"}) {
        std::ofstream(config) << "[http]\nlisten = [\"" << listen << "\"]\n";
        fails(ctl({"config", "check"}), 1, std::string(listen) + " is no ADDRESS:PORT such as 127.0.0.1:8080");
    }
    std::ofstream(config) << "[http]\nlisten = [\"*:1\", \"[::1]:65535\"]\nbehind_proxy = true\n";
    BOOST_TEST(ctl({"config", "check"}).code == 0);
    BOOST_TEST(ctl({"config", "get", "http.trusted_proxies"}).out == "127.0.0.1\n::1\n");
    BOOST_TEST(ctl({"doctor", "--no-web"}).code == 1);
}

BOOST_AUTO_TEST_CASE(a_database_without_schema) {
    test::TestDatabase empty;
    std::ifstream in(config);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    text.replace(text.find(database.config().name), database.config().name.size(), empty.config().name);
    std::ofstream(config) << text;
    fails(ctl({"user", "list"}), 1, "run tradepostctl migrate");
    const auto doctor = ctl({"doctor", "--sql", "sql", "--no-web"});
    BOOST_TEST(doctor.code == 1);
    BOOST_TEST(doctor.out.find("FAIL schema 0 of ") != std::string::npos);
    BOOST_TEST(doctor.out.find(": run tradepostctl migrate\n") != std::string::npos);
    const auto first = ctl({"migrate", "--sql", "sql"});
    BOOST_TEST(first.code == 0);
    BOOST_TEST(first.out.starts_with("applied 001_users.sql\n"));
    BOOST_TEST(ctl({"migrate", "--sql", "sql", "--json"}).out.starts_with("{\"applied\":[]"));
    BOOST_TEST(ctl({"doctor", "--sql", "sql", "--no-web"}).code == 0);
    BOOST_TEST(nlohmann::json::parse(ctl({"--json", "status", "--sql", "sql"}).out)["counts"]["users"] == 0);
}

BOOST_AUTO_TEST_CASE(users) {
    const auto added =
        ctl({"user", "add", "--email", "Ann@b.example", "--name", "Ann", "--password-stdin", "--json"}, "correct horse\n");
    BOOST_TEST(added.code == 0);
    BOOST_TEST(nlohmann::json::parse(added.out)["email"] == "Ann@b.example");
    fails(ctl({"user", "add", "--email", "ann@B.example", "--name", "Ann", "--password-stdin"}, "correct horse"), 1, "already");
    fails(ctl({"user", "add", "--email", "bob@b.example", "--name", "Bob", "--password-stdin"}, "\n"), 1,
          "the password must be 12 to 256 characters long: nothing was changed");
    fails(ctl({"user", "add", "--email", "bob@b.example", "--name", "Bobby Tables", "--password-stdin"}, "bobby tables\n"), 1,
          "the password must not be the name: nothing was changed");
    fails(ctl({"user", "set-password", "--email", "ann@b.example", "--password-stdin"}, "password1234\n"), 1,
          "the password must not be a common password: nothing was changed");
    BOOST_TEST(nlohmann::json::parse(ctl({"user", "list", "--json"}).out).size() == 1u);
    const auto hash = value("password_hash FROM users");
    BOOST_TEST(ctl({"user", "set-password", "--email", "ann@b.example", "--password-stdin"}, "another long one").code == 0);
    BOOST_TEST(value("password_hash FROM users") != hash);
    fails(ctl({"user", "remove-second-factor", "--email", "ann@b.example"}), 1,
          "Ann@b.example has no second factor: nothing to remove");
    connection.execute(
        "INSERT INTO second_factors (user_id, secret, created_at, enabled_at) SELECT id, 'x', created_at, created_at FROM users");
    connection.execute("INSERT INTO recovery_codes (user_id, hash) SELECT id, REPEAT('x', 32) FROM users");
    BOOST_TEST(ctl({"user", "remove-second-factor", "--email", "ann@b.example"}).out ==
               "second factor removed from Ann@b.example\n");
    BOOST_TEST(count("second_factors") == 0);
    BOOST_TEST(count("recovery_codes") == 0);
    fails(ctl({"user", "disable", "--email", "nobody@b.example"}), 1, "there is no user nobody@b.example");
    BOOST_TEST(ctl({"user", "disable", "--email", "ann@b.example"}).code == 0);
    fails(ctl({"token", "mint", "--email", "ann@b.example", "--name", "t"}), 1, "is disabled");
}

BOOST_AUTO_TEST_CASE(an_enabled_user_begins_anew) {
    const auto enable = [&] { return ctl({"user", "enable", "--email", "ann@b.example"}); };
    fails(enable(), 1, "there is no user ann@b.example");
    ctl({"user", "add", "--email", "ann@b.example", "--name", "Ann", "--password-stdin"}, "correct horse");
    const auto token = ctl({"token", "mint", "--email", "ann@b.example", "--name", "t"}).out;
    BOOST_TEST(enable().out == "ann@b.example is not disabled\n");
    BOOST_TEST(ctl({"token", "whois"}, token).code == 0);
    BOOST_TEST(ctl({"user", "disable", "--email", "ann@b.example"}).code == 0);
    const auto enabled = enable();
    BOOST_TEST(enabled.code == 0);
    BOOST_TEST(enabled.out.starts_with("enabled ann@b.example: the user signs in with the password; "), enabled.out);
    BOOST_TEST(count("users WHERE disabled_at IS NULL") == 1);
    fails(ctl({"token", "whois"}, token), 1, "the token is unknown, expired or revoked");
    BOOST_TEST(ctl({"token", "mint", "--email", "ann@b.example", "--name", "t"}).code == 0);
    const auto again = ctl({"user", "enable", "--email", "ann@b.example", "--json"});
    BOOST_TEST(nlohmann::json::parse(again.out)["disabledAt"].is_null());
    BOOST_TEST(count("audit_log WHERE event = 'user_enabled'") == 1);
    BOOST_TEST(count("audit_log WHERE event = 'token_revoked' AND detail = 'user enabled'") == 1);
    BOOST_TEST(count("api_tokens WHERE revoked_at IS NULL") == 1);
}

BOOST_AUTO_TEST_CASE(organisations) {
    BOOST_TEST(ctl({"org", "add", "--name", "O'Brien & Söhne"}).out.starts_with("added obrien-sohne "));
    BOOST_TEST(nlohmann::json::parse(ctl({"org", "add", "--name", "O'Brien & Söhne", "--published", "--json"}).out)["slug"] ==
               "obrien-sohne-2");
    fails(ctl({"org", "add", "--name", "X", "--slug", "obrien-sohne"}), 1, "is taken");
    fails(ctl({"org", "add", "--name", "X", "--slug", "No Slug"}), 2, "--slug");
    BOOST_TEST(ctl({"org", "publish", "--org", "obrien-sohne"}).code == 0);
    BOOST_TEST(value("published FROM organisations WHERE slug = 'obrien-sohne'") == "1");
    BOOST_TEST(ctl({"org", "unpublish", "--org", "obrien-sohne"}).code == 0);
    fails(ctl({"org", "publish", "--org", "nobody"}), 1, "there is no organisation nobody");
    ctl({"user", "add", "--email", "a@b.example", "--name", "A", "--password-stdin"}, "correct horse");
    BOOST_TEST(ctl({"org", "add-member", "--org", "obrien-sohne", "--email", "a@b.example", "--role", "ADMIN"}).code == 0);
    BOOST_TEST(value("role FROM memberships") == "ADMIN");
    BOOST_TEST(ctl({"org", "remove-member", "--org", "obrien-sohne", "--email", "a@b.example"}).code == 0);
    fails(ctl({"org", "remove-member", "--org", "obrien-sohne", "--email", "a@b.example"}), 1, "is no member");
}

BOOST_AUTO_TEST_CASE(tokens) {
    ctl({"user", "add", "--email", "a@b.example", "--name", "A", "--password-stdin"}, "correct horse");
    const auto minted = ctl({"token", "mint", "--email", "a@b.example", "--name", "feed"});
    BOOST_TEST(minted.out.size() == 65u);
    BOOST_TEST(minted.out.find_first_not_of("0123456789abcdef") == 64u);
    const auto whose = nlohmann::json::parse(ctl({"token", "whois", "--json"}, minted.out).out);
    BOOST_TEST(whose["user"]["email"] == "a@b.example");
    BOOST_TEST(nlohmann::json::parse(ctl({"token", "list", "--email", "a@b.example", "--json"}).out)[0]["id"] == whose["id"]);
    BOOST_TEST(ctl({"token", "revoke", "--id", whose["id"]}).code == 0);
    fails(ctl({"token", "revoke", "--id", whose["id"]}), 1, "left to revoke");
    fails(ctl({"token", "whois"}, minted.out), 1, "revoked");
    fails(ctl({"token", "whois"}, "nonsense"), 1, "holds no token");
}

BOOST_AUTO_TEST_CASE(demo_twice) {
    const std::vector<std::string> command{"demo", "--organisations", "20", "--jobs",      "60", "--events", "20", "--posts",
                                           "20",   "--stock",         "90", "--enquiries", "40"};
    const auto first = ctl(command);
    BOOST_TEST(first.code == 0);
    BOOST_TEST(first.out.find("\nDemo sign-in: demo@tradepost.example ") != std::string::npos);
    BOOST_TEST(count("jobs") == 60);
    BOOST_TEST(count("jobs WHERE published_at > UTC_TIMESTAMP() OR created_at > published_at OR (status = 'PUBLISHED' AND "
                     "published_at IS NULL)") == 0);
    BOOST_TEST(count("memberships WHERE role = 'ADMIN'") == 1);
    BOOST_TEST(count("stock_items") == 90);
    BOOST_TEST(value("COUNT(DISTINCT status) FROM stock_items") == "3");
    BOOST_TEST(count("stock_items WHERE status = 'PUBLISHED' AND (price IS NULL OR currency IS NULL)") == 0);
    BOOST_TEST(count("stock_items t JOIN memberships m ON m.organisation_id = t.organisation_id") >= 30);
    BOOST_TEST(count("enquiries") == 40);
    BOOST_TEST(count("enquiries e JOIN memberships m ON m.organisation_id = e.organisation_id WHERE e.from_user_id IS NULL") ==
               30);
    BOOST_TEST(
        count("enquiries e JOIN memberships m ON m.user_id = e.from_user_id WHERE e.organisation_id <> m.organisation_id") == 10);
    BOOST_TEST(count("enquiries e LEFT JOIN stock_items s ON s.id = e.stock_id LEFT JOIN jobs j ON j.id = e.job_id "
                     "WHERE (e.type = 'STOCK') <> (s.id IS NOT NULL) OR (e.type = 'JOB') <> (j.id IS NOT NULL) OR "
                     "COALESCE(s.organisation_id, j.organisation_id, e.organisation_id) <> e.organisation_id OR "
                     "COALESCE(s.status, j.status, 'PUBLISHED') <> 'PUBLISHED' OR e.updated_at < e.created_at") == 0);
    BOOST_TEST(value("COUNT(DISTINCT type) FROM enquiries") == "3");
    const auto jobs = exported("jobs"), stock = exported("stock");
    const auto second = ctl(command);
    BOOST_TEST(second.out.starts_with(
        "added 0 organisations, 0 jobs, 0 events, 0 posts, 0 stock items, 0 enquiries\nDemo sign-in: demo@tradepost.example "));
    BOOST_TEST(exported("jobs") == jobs);
    BOOST_TEST(exported("stock") == stock);
    BOOST_TEST(ctl({"demo", "--organisations", "20", "--jobs", "70", "--events", "0", "--posts", "0", "--json"})
                   .out.find("\"jobs\":10") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(demo_data_have_what_pages_and_benchmarks_show) {
    BOOST_TEST(ctl({"demo", "--enquiries", "20"})
                   .out.starts_with("added 60 organisations, 400 jobs, 120 events, 150 posts, 300 stock items, 20 enquiries\n"));
    BOOST_TEST(count("organisations WHERE published = 0 AND slug <> 'hidden-vans'") == 4);
    BOOST_TEST(value("COUNT(DISTINCT phone) > 50 FROM organisations") == "1");  // neighbours differ
    BOOST_TEST(value("published FROM organisations o JOIN memberships m ON m.organisation_id = o.id") == "1");
    for (const char* some :
         {"jobs WHERE status = 'DRAFT' AND published_at IS NULL", "jobs WHERE status = 'CLOSED'",
          "jobs WHERE status = 'ARCHIVED'", "jobs WHERE status = 'PUBLISHED' AND expires_at < UTC_TIMESTAMP()",
          "jobs WHERE expires_at > UTC_TIMESTAMP()", "jobs WHERE workplace = 'REMOTE' AND city IS NULL",
          "jobs WHERE salary_period = 'HOUR'", "jobs WHERE salary_min IS NULL",
          "jobs WHERE published_at > UTC_TIMESTAMP() - INTERVAL 7 DAY", "events WHERE starts_at < UTC_TIMESTAMP()",
          "events WHERE starts_at > UTC_TIMESTAMP()", "events WHERE is_online", "events WHERE published_at IS NULL",
          "posts WHERE organisation_id IS NULL", "posts WHERE published_at IS NULL", "stock_items WHERE availability = 'SOLD'",
          "stock_items WHERE status = 'DRAFT' AND price IS NULL", "stock_items WHERE item_condition = 'NEW'"})
        BOOST_TEST(count(some) > 0, some);
    BOOST_TEST(count("jobs WHERE listed = 1") > 200);
    BOOST_TEST(count("stock_images") == 0);
    // No name in braces is left.
    for (const std::string text : {"title FROM jobs", "description FROM jobs", "title FROM events", "description FROM events",
                                   "title FROM posts", "body FROM posts", "title FROM stock_items",
                                   "description FROM stock_items", "name FROM organisations", "message FROM enquiries"})
        BOOST_TEST(count("(SELECT " + text + ") t WHERE " + text.substr(0, text.find(' ')) + " LIKE '%{%'") == 0, text);
}

BOOST_AUTO_TEST_CASE(demo_data_of_another_file) {
    fails(ctl({"demo", "--data", "/nonexistent"}), 1, "--data FILE");
    std::ofstream(path) << R"({"organisation": {"name": "{nobody}"}})";
    fails(ctl({"demo", "--data", path}), 1, "{nobody}");
}

BOOST_AUTO_TEST_CASE(recount_mends_what_was_changed_by_hand) {
    ctl({"demo", "--organisations", "5", "--jobs", "20", "--events", "10", "--posts", "10"});
    const auto state = [&] {
        std::string all;
        for (const auto& row : connection.query(
                 "SELECT CONCAT_WS('|', slug, listed, HEX(city_key), salary_low, salary_high) FROM jobs ORDER BY id"))
            all += row.text(0);
        for (const auto& row : connection.query("SELECT CONCAT_WS('|', slug, listed, over_at) FROM events ORDER BY id"))
            all += row.text(0);
        return all + value("COUNT(*) FROM post_tags") + value("SUM(CRC32(tokens)) FROM job_search");
    };
    BOOST_TEST(ctl({"recount"}).code == 0);  // takes what has expired off the lists
    const auto right = state();
    connection.execute("UPDATE jobs SET listed = 1 - listed, city_key = NULL, salary_low = 1");
    connection.execute("UPDATE events SET over_at = '2000-01-01'");
    connection.execute("DELETE FROM post_tags");
    connection.execute("DELETE FROM job_search");
    const auto before = version("jobs");
    BOOST_TEST(ctl({"recount"}).code == 0);
    BOOST_TEST(state() == right);
    BOOST_TEST(version("jobs") > before);
}

// Old workers know nothing of the columns of stock's filters; the package runs this after an upgrade.
BOOST_AUTO_TEST_CASE(recount_fills_in_the_columns_that_an_upgrade_added) {
    ctl({"demo", "--organisations", "5", "--jobs", "5", "--events", "5", "--posts", "5"});
    const auto state = [&] {
        return value(
            "CONCAT_WS('|', COUNT(make_key), SUM(CRC32(CONCAT(make_key, model_key, category_key))), SUM(price_up), SUM(year_up)) "
            "FROM stock_items");
    };
    const auto right = state();
    BOOST_TEST(right.find_first_of("123456789") == 0u);
    const auto forget = [&] {
        connection.execute(
            "UPDATE stock_items SET make_key = NULL, model_key = NULL, category_key = NULL, price_up = NULL, year_up = NULL");
        BOOST_TEST(state() != right);
    };
    forget();
    connection.execute("UPDATE list_counts SET n = 1 WHERE measure = 255");
    BOOST_TEST(ctl({"recount", "--totals"}).code == 0);
    BOOST_TEST(state() == right);
    BOOST_TEST(test::totals_are_kept(connection));
    forget();
    BOOST_TEST(ctl({"recount"}).code == 0);
    BOOST_TEST(state() == right);
}

BOOST_AUTO_TEST_CASE(prune_removes_what_is_old) {
    ctl({"user", "add", "--email", "a@b.example", "--name", "A", "--password-stdin"}, "correct horse");
    const auto user = connection.query("SELECT id FROM users").at(0).uuid(0);
    const core::SystemClock system;
    const auto now = system.now();
    using std::chrono::days, std::chrono::hours;
    const auto token = [&](core::Time expires, std::optional<core::Time> revoked) {
        connection.execute(
            "INSERT INTO api_tokens (id, user_id, hash, created_at, expires_at, revoked_at) VALUES (?, ?, RANDOM_BYTES(32), ?, "
            "?, ?)",
            {core::Uuid::v7(now), user, now - days(100), expires, revoked});
    };
    token(now + days(1), {});
    token(now - days(1), {});
    token(now - days(31), {});
    token(now + days(1), now - days(31));
    token(now + days(1), now - days(1));
    for (const auto age : {1, 11, 13})
        connection.execute(
            "INSERT INTO sessions (hash, user_id, csrf_token, created_at, last_seen_at) VALUES (RANDOM_BYTES(32), ?, "
            "RANDOM_BYTES(32), ?, ?)",
            {user, now - days(2), now - hours(age)});
    for (const auto age : {1, 23, 25})
        connection.execute(
            "INSERT INTO idempotency_keys (user_id, key_hash, request_hash, created_at) VALUES (?, RANDOM_BYTES(32), "
            "RANDOM_BYTES(32), ?)",
            {user, now - hours(age)});
    for (const auto age : {1, 399, 401})
        connection.execute(
            "INSERT INTO notification_tokens (hash, user_id, token, platform, created_at, updated_at) VALUES (RANDOM_BYTES(32), "
            "?, "
            "'t', 'IOS', ?, ?)",
            {user, now - days(500), now - days(age)});
    // More than one statement takes.
    for (int i = 0; i <= 501; ++i)
        connection.execute(
            "INSERT INTO audit_log (id, happened_at, first_at, event, actor, address, request_id, detail) VALUES (?, ?, ?, "
            "'sign_in', '-', '-', '-', '-')",
            {core::Uuid::v7(now), now - days(i ? 401 : 399), now - days(402)});
    for (const auto& [state, age] :
         {std::pair("delivered", 8), std::pair("delivered", 6), std::pair("dead", 91), std::pair("dead", 89)}) {
        outbox::send(connection, now, {.kind = "mail", .target = state, .payload = "{}"});
        connection.execute("UPDATE outbox_messages SET state = ?, not_before = ?, attempted_at = ? WHERE state = 'waiting'",
                           {state, now - days(age), now - days(age)});
    }
    BOOST_TEST(ctl({"prune", "--json"}).out ==
               "{\"tokens\":2,\"sessions\":1,\"idempotencyKeys\":1,\"uploads\":0,\"files\":0,\"notificationTokens\":1,"
               "\"auditEvents\":501,\"deletions\":0,\"enquiries\":0,\"counts\":0,\"changes\":0,\"messages\":2}\n");
    BOOST_TEST(count("audit_log WHERE event = 'sign_in'") == 1);
    BOOST_TEST(count("api_tokens") == 3);
}

BOOST_AUTO_TEST_CASE(messages_are_shown_queued_anew_and_dropped) {
    using Json = nlohmann::json;
    const auto now = core::SystemClock().now();
    for (const auto* target : {"mail a", "mail b"})
        outbox::send(connection, now, {.kind = "mail", .target = target, .payload = "{}"});
    connection.execute(
        "UPDATE outbox_messages SET state = 'dead', attempts = 9, result = 'no such address' WHERE target = 'mail b'");
    const auto all = Json::parse(ctl({"outbox", "list", "--json"}).out);
    BOOST_REQUIRE_EQUAL(all.size(), 2u);
    BOOST_TEST(all[0]["target"] == "mail a");
    BOOST_TEST(all[1]["state"] == "dead");
    BOOST_TEST(all[1]["result"] == "no such address");
    BOOST_TEST(!all[1].contains("payload"));
    const auto dead = Json::parse(ctl({"outbox", "list", "--state", "dead", "--json"}).out);
    BOOST_TEST(dead.size() == 1u);
    BOOST_TEST(ctl({"outbox", "retry", "--id", std::string(dead[0]["id"])}).out == "1 message\n");
    BOOST_TEST(count("outbox_messages WHERE state = 'waiting' AND attempts = 0") == 2);
    // Delivered ones are kept, and sent again only when they are asked for.
    connection.execute("UPDATE outbox_messages SET state = IF(target = 'mail a', 'delivered', 'dead'), attempts = 9");
    BOOST_TEST(ctl({"outbox", "retry", "--kind", "mail"}).out == "1 message\n");
    BOOST_TEST(ctl({"outbox", "retry", "--target", "mail a"}).out == "0 messages\n");
    BOOST_TEST(ctl({"outbox", "retry", "--all"}).out == "1 message\n");
    BOOST_TEST(count("outbox_messages WHERE state = 'waiting' AND target = 'mail b' AND attempts = 0") == 1);
    BOOST_TEST(count("outbox_messages WHERE state = 'delivered' AND target = 'mail a' AND attempts = 9") == 1);
    BOOST_TEST(ctl({"outbox", "retry", "--state", "delivered"}).out == "1 message\n");
    fails(ctl({"outbox", "drop"}), 2, "choose messages with --id, --state, --kind or --target, or all with --all");
    fails(ctl({"outbox", "drop", "--all", "--kind", "mail"}), 2,
          "choose messages with --id, --state, --kind or --target, or all with --all");
    fails(ctl({"outbox", "list", "--state", "lost"}), 2, "--state: must be waiting, delivered or dead");
    fails(ctl({"outbox", "retry", "--id", "1"}), 2, "--id: must be a message's id");
    BOOST_TEST(ctl({"outbox", "drop", "--target", "mail a"}).out == "1 message\n");
    BOOST_TEST(ctl({"outbox", "drop", "--all", "--json"}).out == "{\"messages\":1}\n");
    BOOST_TEST(count("outbox_messages") == 0);
}

BOOST_AUTO_TEST_CASE(imports_and_exports) {
    std::ofstream(path) << R"({"slug":"a","title":"A"})"
                           "\n";
    BOOST_TEST(ctl({"import", "posts", path}).out == "posts: 1 added, 0 changed, 0 unchanged\n");
    BOOST_TEST(ctl({"import", "posts", path, "--json"}).out == "{\"added\":0,\"changed\":0,\"unchanged\":1}\n");
    std::ofstream(path) << "nonsense\n";
    fails(ctl({"import", "posts", path}), 1, "tradepostctl: " + path + ":1: Invalid JSON body");
    fails(ctl({"import", "posts", "/nonexistent"}), 1, "/nonexistent: cannot be opened");
    fails(ctl({"import", "posts", "/tmp"}), 1, "is a directory");
    fails(ctl({"import", "boats", path}), 2, "tradepostctl --help");
    BOOST_TEST(ctl({"export", "posts", path}).code == 0);
    BOOST_TEST(ctl({"import", "posts", path}).out == "posts: 0 added, 0 changed, 1 unchanged\n");
    fails(ctl({"export", "posts", "/nonexistent/file"}), 1, "cannot be written");
    BOOST_TEST(!std::filesystem::exists(path + ".new"));
}

BOOST_AUTO_TEST_CASE(an_export_replaces_no_file_but_regular_ones) {
    namespace fs = std::filesystem;
    std::ofstream(path) << R"({"slug":"a","title":"A"})"
                           "\n";
    ctl({"import", "posts", path});
    // Who made FILE.new before may not read what is written.
    const auto other = path + ".new";
    std::ofstream(other) << "theirs\n";
    std::ifstream opened(other);
    fs::permissions(other, fs::perms::owner_all | fs::perms::others_read);
    BOOST_TEST(ctl({"export", "posts", path}).code == 0);
    BOOST_TEST(std::string(std::istreambuf_iterator(opened), {}) == "theirs\n");
    BOOST_CHECK(fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    BOOST_TEST(!fs::exists(other));

    const auto link = path + ".link", pipe = path + ".pipe";
    fs::create_symlink(path, link);
    fails(ctl({"export", "posts", link}), 1,
          link + ": is a symbolic link: name the file that it leads to, or - for standard output");
    fs::remove(link);
    BOOST_REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    fs::create_symlink(pipe, link);  // as /dev/stdout is one
    std::string expected;
    std::getline(std::ifstream(path), expected);
    std::fstream reader(pipe);  // both ends: nobody waits
    for (const auto& name : {pipe, link}) {
        BOOST_TEST(ctl({"export", "posts", name}).code == 0);
        BOOST_TEST_REQUIRE(fs::is_fifo(pipe));
        std::string line;
        BOOST_TEST((std::getline(reader, line) && line == expected), line);
    }
    fs::remove(link);
    fs::remove(pipe);
}

BOOST_AUTO_TEST_CASE(doctor_tells_of_a_mail_password_that_cannot_be_read) {
    namespace fs = std::filesystem;
    const auto secret = config + ".secret";
    std::ofstream(config, std::ios::app)
        << "[mail]\nsmtp = \"smtp://127.0.0.1:9\"\nfrom = \"post@trade.example\"\nuser = \"post\"\n"
           "password_file = \""
        << secret << "\"\n";
    // Told of a check whose name begins so; with what comes after it, or nothing.
    const auto told = [&](const std::string& start) -> std::string {
        const auto document = nlohmann::json::parse(ctl({"doctor", "--sql", "sql", "--no-web", "--json"}).out);
        for (std::size_t i = 0; i < document.size(); ++i)
            if (std::string(document[i]["check"]).starts_with(start)) {
                BOOST_TEST(std::string(document.back()["check"]).starts_with("uploads"));
                return document[i]["remedy"].is_null() ? "ok" : std::string(document[i]["remedy"]);
            }
        return "";
    };
    BOOST_TEST(told("mail server takes this instance's letters") ==
               secret + ": cannot be read, or its first line is empty; it is named as mail.password_file");
    std::ofstream(secret) << "secret\n";
    fs::permissions(secret, fs::perms::owner_read);
    const std::string readable = "tradepost-deliver may read " + secret;
    BOOST_TEST(told(readable) == "");
    if (geteuid() == 0) {
        // As an instance's configuration is installed.
        BOOST_REQUIRE(chown(config.c_str(), 0, 65534) == 0);
        BOOST_TEST(told(readable) == "give it the group of the configuration: chgrp --reference=" + config + " " + secret +
                                         " && chmod 640 " + secret);
        BOOST_REQUIRE(chown(secret.c_str(), 0, 65534) == 0 && chmod(secret.c_str(), 0640) == 0);
        BOOST_TEST(told(readable) == "ok");
    }
    fs::remove(secret);
}

BOOST_AUTO_TEST_CASE(recount_of_missing_totals) {
    const std::string nothing = "nothing to do: the totals of all lists are kept\n";
    const auto kept = "list_counts WHERE measure = 255 AND n = " + std::to_string(counts::counting_scheme);
    const auto all = count(kept);
    BOOST_TEST(ctl({"recount", "--missing"}).out == nothing);
    BOOST_TEST(ctl({"recount", "--missing", "--json"}).out == "{}\n");
    connection.execute("UPDATE list_counts SET n = 1 WHERE measure = 255 AND list = 'jobs'");
    connection.execute("DELETE FROM list_counts WHERE measure = 255 AND list = 'posts'");
    BOOST_TEST(ctl({"recount", "--missing"}).out == "totals that were wrong: 0\n");
    BOOST_TEST(count(kept) == all);
    BOOST_TEST(ctl({"recount", "--missing"}).out == nothing);
}

BOOST_AUTO_TEST_CASE(migrate_of_all_instances_names_none) {
    fails(ctl({"migrate", "--all-instances"}), 2, "--all-instances excludes --config and --instance");
    fails(bare({"--instance", "x", "migrate", "--all-instances"}), 2, "--all-instances excludes");
}

BOOST_AUTO_TEST_CASE(a_service_starts_without_a_database_and_with_an_old_schema_and_not_with_a_newer_one) {
    const std::vector<std::string> check = {"config", "check", "--at-start"};
    const auto starts = [&] {
        const auto done = ctl(check);
        return done.code == 0 && done.out.empty() && done.error.empty();
    };
    BOOST_TEST(starts());
    connection.execute("CREATE TABLE kept_step AS SELECT * FROM schema_migrations WHERE number = 1");
    connection.execute("DELETE FROM schema_migrations WHERE number = 1");
    BOOST_TEST(starts());
    fails(ctl({"config", "check", "--schema"}), 1, "run tradepostctl migrate");
    connection.execute("INSERT INTO schema_migrations SELECT 999, name, checksum, applied_at FROM kept_step");
    fails(ctl(check), 1, "is at number 999, newer than this program's");
    connection.execute("UPDATE schema_migrations SET number = 1 WHERE number = 999");
    connection.execute("DROP TABLE kept_step");
    std::ofstream(config, std::ios::app) << "[fetch]\nallow_networks = [\"nowhere\"]\n";
    fails(ctl(check), 1, "fetch.allow_networks");
    std::ofstream(config) << "[database]\nsocket = \"/nonexistent\"\n";
    const auto away = ctl(check);
    BOOST_TEST(away.code == 0);
    BOOST_TEST(away.error.find("cannot be reached") != std::string::npos);
    fails(ctl({"migrate"}), 1, "cannot be reached");
}

BOOST_AUTO_TEST_SUITE_END()
