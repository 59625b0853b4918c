// What an organisation may have, with many writers at once, and while a feed is written.
#define BOOST_TEST_DYN_LINK
#include <atomic>
#include <barrier>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <thread>

#include "repo/application.h"
#include "support/case_match.h"
#include "support/threads.h"
#include "writes/room.h"

using namespace tradepost;
using nlohmann::json;
using writes::Things;

namespace {

const auto ashford = *core::Uuid::parse("0195f0a0-0000-7000-8000-00000000a001");

struct Fixture : test::ApplicationFixture {
    core::ManualClock clock{*core::parse_rfc3339("2026-03-01T12:00:00Z")};
    db::Connection connection{database.config()};

    http::Response send(App& app, const std::string& method, const std::string& target, const std::string& body) {
        http::Request request;
        request.method = method;
        request.target = target;
        request.headers = {
            {"authorization", "Bearer " + test::fixture_token("ashford-admin")},
            {"content-type", target.ends_with("/feed") || target.find("/feed?") != std::string::npos ? "application/x-ndjson"
                                                                                                     : "application/json"}};
        request.body = body;
        return app.handle(request);
    }
    http::Response send(const std::string& method, const std::string& target, const std::string& body) {
        App app(config, clock, limiter);
        return send(app, method, target, body);
    }

    std::int64_t has(Things things) { return writes::used(connection, things, ashford, {}); }

    // Twenty POSTs at the same moment, while there is room for one.
    void check_race(Things things, std::uint64_t core::LimitsConfig::*limit, const std::string& path, const json& item) {
        config.limits.*limit = std::uint64_t(has(things)) + 1;
        constexpr int threads = 20;
        std::atomic<int> created = 0, refused = 0;
        std::barrier start(threads);
        std::vector<test::Thread> running;
        for (int i = 0; i < threads; ++i)
            running.emplace_back([&, i] {
                test::Participant all(start);
                App app(config, clock, limiter);
                send(app, "GET", "/api/v1/me", "");  // connects
                auto own = item;
                if (things == Things::stock_items) own["reference"] = "R-" + std::to_string(i);
                all.arrive_and_wait();
                const auto answer = send(app, "POST", path, own.dump());
                created += answer.status == 201;
                refused += answer.status == 409 &&
                           answer.body == R"({"error":"Conflict: )" + writes::limit_reached(config, things) + R"("})";
            });
        for (auto& thread : running) thread.join();
        BOOST_TEST(created == 1);
        BOOST_TEST(refused == threads - 1);
        BOOST_TEST(std::uint64_t(has(things)) == config.limits.*limit);
    }

    // A feed of `lines` waits in the middle for the row of its last item; `meanwhile` runs then.
    template <class Work>
    http::Response feed_with(const std::string& lines, const std::string& last, Work meanwhile) {
        db::Connection holder(database.config());
        http::Response answer;
        test::Thread feed;
        {
            db::Transaction transaction(holder);
            holder.query(
                "SELECT id FROM stock_items FORCE INDEX (stock_items_reference) WHERE organisation_id = ? AND reference "
                "= ? FOR UPDATE",
                {ashford, db::Binary{last}});
            feed = test::Thread([&] { answer = send("PUT", "/api/v1/stock/feed?onError=skip", lines); });
            while (!feed.ended() &&
                   connection.query("SELECT 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT' LIMIT 1").empty())
                std::this_thread::sleep_for(
                    std::chrono::milliseconds(150));  // the server shows nothing new to those who look all the time
            meanwhile();
        }
        feed.join();
        return answer;
    }
};

const json an_item = {{"title", "Van"}}, a_job = {{"title", "Mechanic"}},
           an_event = {{"title", "Open day"}, {"startsAt", "2026-05-01T10:00:00Z"}}, a_post = {{"title", "News"}},
           an_enquiry = {{"organisationId", ashford.to_string()}, {"name", "N"}, {"email", "n@example.com"}, {"message", "M"}};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_of_organisations, Fixture)

BOOST_AUTO_TEST_CASE(twenty_at_once_do_not_exceed_the_limit_of_stock) {
    check_race(Things::stock_items, &core::LimitsConfig::organisation_stock, "/api/v1/stock", an_item);
}

BOOST_AUTO_TEST_CASE(twenty_at_once_do_not_exceed_the_limit_of_jobs) {
    check_race(Things::jobs, &core::LimitsConfig::organisation_jobs, "/api/v1/jobs", a_job);
}

BOOST_AUTO_TEST_CASE(twenty_at_once_do_not_exceed_the_limit_of_events) {
    check_race(Things::events, &core::LimitsConfig::organisation_events, "/api/v1/events", an_event);
}

BOOST_AUTO_TEST_CASE(twenty_at_once_do_not_exceed_the_limit_of_posts) {
    check_race(Things::posts, &core::LimitsConfig::organisation_posts, "/api/v1/posts", a_post);
}

BOOST_AUTO_TEST_CASE(twenty_at_once_do_not_exceed_the_limit_of_enquiries) {
    check_race(Things::enquiries, &core::LimitsConfig::organisation_enquiries, "/api/v1/enquiries", an_enquiry);
}

// Until `recount` has run, the rows are counted.
BOOST_AUTO_TEST_CASE(the_limit_holds_without_kept_counts) {
    const auto before = has(Things::stock_items);
    connection.execute("DELETE FROM list_counts");
    BOOST_TEST(has(Things::stock_items) == before);
    check_race(Things::stock_items, &core::LimitsConfig::organisation_stock, "/api/v1/stock", an_item);
}

BOOST_AUTO_TEST_CASE(a_feed_and_another_writer_do_not_exceed_the_limit_together) {
    BOOST_REQUIRE(send("POST", "/api/v1/stock", R"({"title": "Van", "reference": "LAST"})").status == 201);
    config.limits.organisation_stock = std::uint64_t(has(Things::stock_items)) + 2;
    const auto answer = feed_with(
        R"({"reference": "N-1", "title": "A"}
{"reference": "N-2", "title": "B"}
{"reference": "LAST", "title": "Changed"}
)",
        "LAST", [&] { BOOST_TEST(send("POST", "/api/v1/stock", R"({"title": "Between", "reference": "B-1"})").status == 201); });
    BOOST_TEST(answer.status == 200);
    const auto result = json::parse(answer.body)["data"];
    BOOST_TEST(result["created"] == 1);
    BOOST_TEST(result["updated"] == 1);
    BOOST_TEST(
        result["failures"] ==
        json::array(
            {{{"line", 2}, {"reference", "N-2"}, {"error", "Conflict: " + writes::limit_reached(config, Things::stock_items)}}}));
    BOOST_TEST(std::uint64_t(has(Things::stock_items)) == config.limits.organisation_stock);
}

// Each limit counts its own things, and writes::Things names it.
BOOST_AUTO_TEST_CASE(each_limit_is_in_its_place) {
    for (const auto& limit : writes::limits()) BOOST_TEST(&writes::limit_of(limit.things) == &limit, limit.name);
    const auto usage = writes::usage_of(connection, config, ashford, clock.now());
    BOOST_TEST(usage.size() == writes::limits().size());
    for (const auto& each : usage) {
        if (each.limit.things == Things::kept_answer_bytes) continue;
        const auto over = writes::organisations_over(connection, each.limit.things, 0);
        const auto found = std::find_if(over.begin(), over.end(), [](const auto& other) { return other.first == ashford; });
        BOOST_TEST((found == over.end() ? 0 : found->second) == each.used, each.limit.name);
    }
}

BOOST_AUTO_TEST_SUITE_END()
