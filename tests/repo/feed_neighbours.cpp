// What a feed that goes on for long leaves to other organisations, through whole applications with connections of their own.
#define BOOST_TEST_DYN_LINK
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <thread>

#include "repo/application.h"
#include "support/case_match.h"
#include "support/threads.h"

using namespace tradepost;
using nlohmann::json;

namespace {

struct FixedClock : core::Clock {
    core::Time now() const override { return *core::parse_rfc3339("2026-03-01T12:00:00Z"); }
};

struct Fixture : test::ApplicationFixture {
    FixedClock clock;

    int send(const std::string& token, const std::string& method, const std::string& target, const std::string& body) {
        App app(config, clock, limiter);
        http::Request request;
        request.method = method;
        request.target = target;
        request.headers = {{"authorization", "Bearer " + test::fixture_token(token)},
                           {"content-type", method == "PUT" ? "application/x-ndjson" : "application/json"}};
        request.body = body;
        return app.handle(request).status;
    }

    // The transaction that waits for a lock, or nothing.
    static std::string waiting(db::Connection& watcher) {
        // The server shows nothing new to those who look all the time.
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        const auto rows =
            watcher.query("SELECT CAST(trx_id AS CHAR) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'");
        return rows.size() == 1 ? rows[0].text(0) : "";
    }

    // A feed writes more items than it keeps counts of, and then waits for the row of the last one. Another organisation writes what is
    // counted under the same words, while the feed still waits.
    void check_neighbour(const std::string& path, const std::string& table, json item) {
        constexpr int written = 5000;
        std::string lines;
        const auto add = [&](int i, const char* title) {
            item["reference"] = "L-" + std::to_string(10000 + i);
            item["title"] = title;
            lines += item.dump() + "\n";
        };
        const auto words = item;
        for (auto& [name, word] : item.items())
            if (word == "Rare") word = "Known";
        add(written, "Before");
        BOOST_TEST(send("ashford-admin", "PUT", path + "/feed", lines) == 200);
        lines.clear();
        item = words;
        for (int i = 0; i <= written; ++i) add(i, "Rare");

        db::Connection holder(config.database), watcher(config.database);
        std::atomic<int> of_feed = 0;
        test::Thread feed;
        {
            db::Transaction transaction(holder);
            holder.query("SELECT id FROM " + table + " WHERE reference = ? FOR UPDATE",
                         {db::Binary{item["reference"].get_ref<const std::string&>()}});
            feed = test::Thread([&] { of_feed = send("ashford-admin", "PUT", path + "/feed", lines); });
            std::string waits;
            while (waits.empty() && !feed.ended()) waits = waiting(watcher);
            item["title"] = "Other";
            BOOST_TEST(send("birch-admin", "POST", path, item.dump()) == 201);
            BOOST_TEST(waiting(watcher) == waits);
        }
        feed.join();
        BOOST_TEST(of_feed == 200);
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(feed_neighbours, Fixture)

BOOST_AUTO_TEST_CASE(stock_of_a_new_make) {
    check_neighbour("/api/v1/stock", "stock_items", {{"make", "Rare"}, {"model", "Rare"}});
}

BOOST_AUTO_TEST_CASE(jobs_of_a_new_city) {
    check_neighbour("/api/v1/jobs", "jobs",
                    {{"city", "Rare"},
                     {"category", "Rare"},
                     {"contractType", "PERMANENT"},
                     {"description", "Mend."},
                     {"status", "PUBLISHED"}});
}

BOOST_AUTO_TEST_SUITE_END()
