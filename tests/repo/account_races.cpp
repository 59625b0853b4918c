// Writes at the same moment, through whole applications with connections of their own: nothing of either is lost.
#define BOOST_TEST_DYN_LINK
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "identity/organisations/organisations.h"
#include "repo/application.h"
#include "resources/accounts/publication.h"
#include "support/case_match.h"
#include "support/process.h"
#include "support/threads.h"
#include "writes/transaction.h"

using namespace tradepost;
using Json = nlohmann::json;

namespace {

const auto ashford = *core::Uuid::parse("0195f0a0-0000-7000-8000-00000000a001");
const auto admin = *core::Uuid::parse("0195f0a0-0000-7000-8000-00000000e006");
constexpr const char* account = "/api/v1/accounts";
constexpr const char* job = "/api/v1/jobs/0195f0a0-0000-7000-8000-00000000b001";

struct Fixture : test::ApplicationFixture {
    core::ManualClock clock{*core::parse_rfc3339("2026-03-01T12:00:00Z")};

    http::Response send(App& app, const std::string& method, const std::string& target, const std::string& body = "",
                        const http::Request& more = {}) {
        http::Request request = more;
        request.method = method;
        request.target = target;
        request.headers.emplace_back("authorization", "Bearer " + test::fixture_token("ashford-admin"));
        request.headers.emplace_back("content-type", "application/json");
        request.body = body;
        return app.handle(request);
    }

    Json data(App& app, const std::string& target) { return Json::parse(send(app, "GET", target).body).at("data"); }

    // Each thread changes a field of its own again and again; the last value of each must be there.
    void change_in_parallel(const std::string& target, const std::vector<std::string>& fields) {
        std::vector<test::Thread> threads;
        std::atomic<int> failed{0};
        constexpr int rounds = 25;
        for (const auto& field : fields)
            threads.emplace_back([&, field] {
                App app(config, clock, limiter);
                for (int i = 1; i <= rounds; ++i)
                    failed += send(app, "PATCH", target, Json{{field, std::to_string(i)}}.dump()).status != 200;
            });
        for (auto& thread : threads) thread.join();
        BOOST_TEST(failed == 0);
        App app(config, clock, limiter);
        const auto now = data(app, target);
        for (const auto& field : fields) BOOST_TEST(now.at(field) == std::to_string(rounds), field);
    }

    bool somebody_waits(db::Connection& connection) {
        return connection.query("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'")[0].text(1) != "0";
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(account_races, Fixture)

// Also the deterministic form of it: whoever comes second sees what the first one wrote.
BOOST_AUTO_TEST_CASE(the_second_merges_into_what_the_first_wrote) {
    db::Connection first(config.database), watcher(config.database);
    test::Thread second;
    std::atomic<int> status{0};
    bool waited = false;
    writes::write(first, [&](writes::WriteTransaction& transaction) {
        auto held = identity::Organisations(first).lock_for_member(admin, ashford);
        BOOST_REQUIRE(held);
        second = test::Thread([&] {
            App app(config, clock, limiter);
            status = send(app, "PATCH", account, R"({"phone": "2"})").status;
        });
        waited = test::await([&] { return somebody_waits(watcher) || status != 0; }) && status == 0;
        auto changed = held->organisation;
        changed.city = "First";
        accounts::change_organisation(transaction, held->organisation, changed);
    });
    second.join();
    BOOST_TEST(waited);
    BOOST_TEST(status == 200);
    App app(config, clock, limiter);
    BOOST_TEST(data(app, account).at("city") == "First");
    BOOST_TEST(data(app, account).at("phone") == "2");
}

// The role is looked at again with the rows that are then written.
BOOST_AUTO_TEST_CASE(a_role_that_is_lost_meanwhile_is_forbidden) {
    db::Connection first(config.database), watcher(config.database);
    test::Thread second;
    std::atomic<int> status{0};
    bool waited = false;
    db::in_transaction(first, [&] {
        first.execute("UPDATE memberships SET role = 'MEMBER' WHERE user_id = ? AND organisation_id = ?", {admin, ashford});
        second = test::Thread([&] {
            App app(config, clock, limiter);
            status = send(app, "PATCH", account, R"({"phone": "2"})").status;
        });
        waited = test::await([&] { return somebody_waits(watcher) || status != 0; }) && status == 0;
    });
    second.join();
    BOOST_TEST(waited);
    BOOST_TEST(status == 403);
}

BOOST_AUTO_TEST_CASE(parallel_changes_of_different_fields_all_survive) {
    change_in_parallel(account, {"name", "phone", "address", "city"});
    change_in_parallel(job, {"title", "summary", "description", "department"});
}

// An If-Match is compared with the row that is then written: of many who hold the same tag one wins.
BOOST_AUTO_TEST_CASE(one_of_those_with_the_same_tag_wins) {
    for (const std::string target : {account, job}) {
        App reader(config, clock, limiter);
        http::Request conditional;
        conditional.headers.emplace_back("if-match", std::string(*send(reader, "GET", target).header("ETag")));
        std::atomic<int> won{0}, stale{0};
        std::vector<test::Thread> threads;
        for (int i = 0; i < 6; ++i)
            threads.emplace_back([&, i] {
                App app(config, clock, limiter);
                const auto status =
                    send(app, "PATCH", target, Json{{"city", "City " + std::to_string(i)}}.dump(), conditional).status;
                won += status == 200;
                stale += status == 412;
            });
        for (auto& thread : threads) thread.join();
        BOOST_TEST(won == 1, target);
        BOOST_TEST(stale == 5, target);
    }
}

// Members who write jobs hold the organisation shared, its ADMIN alone: neither makes the other fail.
BOOST_AUTO_TEST_CASE(writing_jobs_and_the_account_do_not_fail_each_other) {
    std::atomic<int> failed{0};
    std::vector<test::Thread> threads;
    for (int n = 0; n < 4; ++n)
        threads.emplace_back([&, n] {
            App app(config, clock, limiter);
            for (int i = 0; i < 20; ++i) {
                const auto text = Json{{n % 2 ? "title" : "name", std::to_string(n) + "." + std::to_string(i)}}.dump();
                failed += send(app, n % 2 ? "POST" : "PATCH", n % 2 ? "/api/v1/jobs" : account, text).status >= 400;
            }
        });
    for (auto& thread : threads) thread.join();
    BOOST_TEST(failed == 0);
}

// Two ADMINs who take the role from each other, or leave, at the same moment: one of them remains. Both orders come in thirty rounds.
BOOST_AUTO_TEST_CASE(of_two_admins_who_go_at_once_one_remains) {
    const std::vector<std::pair<std::string, std::string>> admins{{"demo", "0195f0a0-0000-7000-8000-00000000e001"},
                                                                  {"ashford-admin", "0195f0a0-0000-7000-8000-00000000e006"}};
    db::Connection connection(config.database);
    const auto attempt = [&](App& app, const std::string& token, const std::string& method, const std::string& user) {
        http::Request request;
        request.method = method;
        request.target = "/api/v1/accounts/members/" + user + "?organisationId=" + ashford.to_string();
        request.headers = {{"authorization", "Bearer " + test::fixture_token(token)}, {"content-type", "application/json"}};
        if (method == "PATCH") request.body = R"({"role": "MEMBER"})";
        return app.handle(request).status;
    };
    App first(config, clock, limiter), second(config, clock, limiter);
    for (int round = 0; round < 30; ++round) {
        const std::string method = round % 2 ? "PATCH" : "DELETE";
        const bool leave = round % 3 == 0;  // else each removes the other
        for (const auto& [token, id] : admins)
            connection.execute(
                "INSERT INTO memberships (user_id, organisation_id, role, created_at) VALUES (?, ?, 'ADMIN', '2026-01-01') "
                "ON DUPLICATE KEY UPDATE role = 'ADMIN'",
                {*core::Uuid::parse(id), ashford});
        std::atomic<int> status{0};
        test::Thread other([&] { status = attempt(second, "ashford-admin", method, admins[leave ? 1 : 0].second); });
        const int own = attempt(first, "demo", method, admins[leave ? 0 : 1].second);
        other.join();
        BOOST_TEST((own == 200) != (status == 200), round << ": " << own << " and " << status);
        BOOST_TEST(connection.query("SELECT COUNT(*) FROM memberships WHERE organisation_id = ? AND role = 'ADMIN'", {ashford})[0]
                       .integer(0) == 1);
    }
}

// One key many times at once: one row, equal answers.
BOOST_AUTO_TEST_CASE(one_key_twenty_times_at_once_is_one_job) {
    http::Request keyed;
    keyed.headers.emplace_back("idempotency-key", "once");
    const auto all_at_once = [&](const std::string& body) {
        std::vector<std::string> answers(20);
        std::vector<test::Thread> threads;
        for (auto& answer : answers)
            threads.emplace_back([&] {
                App app(config, clock, limiter);
                const auto response = send(app, "POST", "/api/v1/jobs", body, keyed);
                answer = std::to_string(response.status) + std::string(response.header("Location").value_or("")) + response.body;
            });
        for (auto& thread : threads) thread.join();
        return std::set<std::string>(answers.begin(), answers.end());
    };
    const auto made = all_at_once(R"({"title": "Once"})");
    BOOST_REQUIRE_EQUAL(made.size(), 1u);
    BOOST_TEST(made.begin()->starts_with("201/api/v1/jobs/"));
    db::Connection connection(config.database);
    BOOST_TEST(connection.query("SELECT COUNT(*) FROM jobs WHERE title = 'Once'")[0].integer(0) == 1);
    // The same when the row is there, but a day old.
    clock.advance(std::chrono::hours(24));
    const auto next_day = all_at_once(R"({"title": "Once"})");
    BOOST_REQUIRE_EQUAL(next_day.size(), 1u);
    BOOST_TEST(*next_day.begin() != *made.begin());
    BOOST_TEST(connection.query("SELECT COUNT(*) FROM jobs WHERE title = 'Once'")[0].integer(0) == 2);
}

// Slugs are found free and then taken; whoever loses takes the next one.
BOOST_AUTO_TEST_CASE(equal_titles_at_once_get_slugs_of_their_own) {
    std::atomic<int> made{0};
    std::vector<test::Thread> threads;
    for (int n = 0; n < 8; ++n)
        threads.emplace_back([&] {
            App app(config, clock, limiter);
            for (int i = 0; i < 5; ++i) made += send(app, "POST", "/api/v1/jobs", R"({"title": "Same title"})").status == 201;
        });
    for (auto& thread : threads) thread.join();
    BOOST_TEST(made == 40);
    db::Connection connection(config.database);
    BOOST_TEST(connection.query("SELECT COUNT(DISTINCT slug) FROM jobs WHERE title = 'Same title'")[0].integer(0) == 40);
}

BOOST_AUTO_TEST_SUITE_END()
