// What other writers of an organisation, and polls of it, do while its feed is written: through whole applications with connections of their
// own. The feed waits for the row of its last item as long as a test wants.
#define BOOST_TEST_DYN_LINK
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/crypto.h"
#include "repo/application.h"
#include "support/case_match.h"
#include "support/recount.h"
#include "support/threads.h"

using namespace tradepost;
using Body = nlohmann::json;

namespace {

const std::string stock = "/api/v1/stock", ashford = "0195f0a0-0000-7000-8000-00000000a001";
// Without the index named, it would lock other rows, too.
const std::string hold_last =
    "SELECT id FROM stock_items FORCE INDEX (stock_items_reference) WHERE organisation_id = ? AND reference = ? FOR UPDATE";
constexpr int items = 250;  // more than are written at a time

// Runs as any clock does, from a day on which the fixture's tokens are good.
struct RunningClock : core::Clock {
    core::Time now() const override {
        return *core::parse_rfc3339("2026-03-01T12:00:00Z") +
               std::chrono::floor<core::milliseconds>(std::chrono::steady_clock::now() - begun);
    }
    const std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
};

using Header = std::pair<std::string, std::string>;

struct Answer {
    int status;
    Body body;
    std::string retry_after, next;
};

std::string reference(int i) {
    return "L-" + std::to_string(1000 + i);
}

struct Fixture : test::ApplicationFixture {
    RunningClock clock;
    db::Connection holder{config.database}, watcher{config.database};

    Answer send(const std::string& method, const std::string& target, const std::string& body = "",
                const std::string& pool = "api", const std::string& token = "ashford-admin", Header more = {}) {
        App app(config, clock, limiter, nullptr, nullptr, pool);
        http::Request request;
        request.method = method;
        request.target = target;
        request.headers = {{"authorization", "Bearer " + test::fixture_token(token)},
                           {"content-type", pool == "uploads" ? "application/x-ndjson" : "application/json"}};
        if (!more.first.empty()) request.headers.push_back(more);
        request.body = body;
        const auto response = app.handle(request);
        return {response.status, response.more ? Body() : Body::parse(response.body),
                std::string(response.header("Retry-After").value_or("")),
                std::string(response.header("X-Next-Updated-Since").value_or(""))};
    }

    Answer feed(const std::string& lines, Header more = {}, const std::string& query = "") {
        return send("PUT", stock + "/feed" + query, lines, "uploads", "ashford-admin", more);
    }

    static std::string lines(const std::string& title, int first = 0) {
        std::string all;
        for (int i = first; i < items; ++i)
            all += Body{{"reference", reference(i)}, {"title", title}, {"make", title}, {"status", "DRAFT"}}.dump() + "\n";
        return all;
    }

    std::string title(int i) {
        return watcher.query("SELECT title FROM stock_items WHERE reference = ?", {db::Binary{reference(i)}}).at(0).text(0);
    }
    core::Uuid id(int i) {
        return watcher.query("SELECT id FROM stock_items WHERE reference = ?", {db::Binary{reference(i)}}).at(0).uuid(0);
    }

    // Whether one transaction waits for a lock. The server shows nothing new to those who look all the time.
    bool somebody_waits() {
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        return watcher.query("SELECT 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'").size() == 1;
    }

    // Runs `meanwhile` while the feed has written all but the last item, whose row this transaction holds, and then commits it.
    Answer feed_while(const std::string& lines, const std::function<void()>& meanwhile, Header more = {},
                      const std::string& held = hold_last) {
        Answer answer{};
        test::Thread sender;
        {
            db::Transaction transaction(holder);
            if (held == hold_last)
                holder.query(held, {*core::Uuid::parse(ashford), db::Binary{reference(items - 1)}});
            else
                holder.execute(held);
            sender = test::Thread([&] { answer = feed(lines, more); });
            while (!somebody_waits() && !sender.ended()) continue;
            BOOST_TEST(!sender.ended());
            meanwhile();
            transaction.commit();
        }
        sender.join();
        return answer;
    }

    void check_feed(const Answer& answer, int created, int updated) {
        BOOST_TEST(answer.status == 200, answer.body.dump());
        BOOST_TEST(answer.body["data"]["created"] == created);
        BOOST_TEST(answer.body["data"]["updated"] == updated);
        BOOST_TEST(test::recount_all(watcher) == 0u);
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(feed_writers, Fixture)

BOOST_AUTO_TEST_CASE(others_write_what_the_feed_does_not) {
    check_feed(feed(lines("Before", 200)), 50, 0);
    const auto single = send("POST", stock, Body{{"title", "Single"}, {"reference", "S-1"}}.dump());
    const auto mine = stock + "/" + single.body["data"]["id"].get<std::string>();
    const auto upload = [&] {
        return send(
            "POST", "/api/v1/uploads",
            Body{{"filename", "a.pdf"}, {"contentType", "application/pdf"}, {"size", 9}, {"sha256", std::string(64, 'a')}}.dump(),
            "uploads-of-json");
    };
    const auto answer = feed_while(lines("After"), [&] {
        BOOST_TEST(send("POST", stock, Body{{"title", "Other"}, {"reference", "S-2"}, {"make", "After"}}.dump()).status == 201);
        BOOST_TEST(send("PATCH", mine, Body{{"title", "Changed"}}.dump()).status == 200);
        BOOST_TEST(send("POST", "/api/v1/jobs", Body{{"title", "Fitter"}}.dump()).status == 201);
        BOOST_TEST(send("POST", "/api/v1/enquiries",
                        Body{{"organisationId", ashford}, {"name", "A"}, {"message", "Hello"}}.dump(), "api", "birch-admin")
                       .status == 201);
        // Who needs the organisation exclusively does not wait either.
        BOOST_TEST(upload().status == 201);
        // Readers see nothing of the feed.
        BOOST_TEST(title(200) == "Before");
        BOOST_TEST(send("GET", stock + "?reference=" + reference(0)).body["data"]["total"] == 0);
    });
    check_feed(answer, 200, 50);
    BOOST_TEST(title(0) == "After");
    BOOST_TEST(title(items - 1) == "After");
}

BOOST_AUTO_TEST_CASE(a_row_that_the_feed_writes_is_503_at_once) {
    check_feed(feed(lines("Before")), items, 0);
    const auto written = stock + "/" + id(0).to_string();
    config.database.lock_wait = std::chrono::milliseconds(250);
    const auto answer = feed_while(lines("After"), [&] {
        for (const auto& [method, target, body] :
             {std::tuple("PATCH", written, Body{{"title", "Mine"}}),
              std::tuple("PUT", stock + "/by-reference/" + reference(1), Body{{"title", "Mine"}}),
              std::tuple("DELETE", written, Body())}) {
            const auto begun = std::chrono::steady_clock::now();
            const auto refused = send(method, target, body.is_null() ? "" : body.dump());
            BOOST_TEST(refused.status == 503, method);
            BOOST_TEST(refused.retry_after == "1");
            // A bound against waiting for the feed: the usual lock wait is five seconds, and is begun again.
            BOOST_TEST((std::chrono::steady_clock::now() - begun < std::chrono::seconds(4)));
        }
    });
    check_feed(answer, 0, items);
}

BOOST_AUTO_TEST_CASE(a_slug_of_a_job_in_a_feed_is_not_waited_for) {
    const auto job = [](const std::string& reference, const char* title) {
        return Body{{"reference", reference}, {"title", title}, {"status", "DRAFT"}}.dump() + "\n";
    };
    BOOST_TEST(send("PUT", "/api/v1/jobs/feed", job("last", "Before"), "uploads").status == 200);
    std::atomic<int> of_feed = 0;
    test::Thread sender;
    {
        db::Transaction transaction(holder);
        holder.query("SELECT id FROM jobs WHERE reference = 'last' FOR UPDATE");
        std::string feed;
        for (int i = 0; i < 200; ++i) feed += job(reference(i), "Rigger");
        sender = test::Thread([&] { of_feed = send("PUT", "/api/v1/jobs/feed", feed + job("last", "After"), "uploads").status; });
        while (!somebody_waits() && !sender.ended()) continue;
        // Less than the feed waits for its row.
        config.database.lock_wait = std::chrono::milliseconds(250);
        const auto made = send("POST", "/api/v1/jobs", Body{{"title", "Rigger"}}.dump(), "api", "birch-admin");
        BOOST_TEST(made.status == 201);
        BOOST_TEST(made.body["data"]["slug"].get<std::string>().size() == std::string("rigger-").size() + 8);
    }
    sender.join();
    BOOST_TEST(of_feed == 200);
}

BOOST_AUTO_TEST_CASE(polls_go_on_and_miss_nothing) {
    check_feed(feed(lines("Before")), items, 0);
    const auto poll = [&](const std::string& since) {
        auto answer = send("GET", stock + "?limit=100&organisationId=" + ashford + "&updatedSince=" + since);
        BOOST_TEST(answer.status == 200, answer.body.dump());
        return answer;
    };
    std::string since = poll("2020-01-01T00:00:00Z").next, made;
    const auto answer = feed_while(lines("After"), [&] {
        made = send("POST", stock, Body{{"title", "Single"}, {"reference", "S-3"}}.dump()).body["data"]["id"];
        for (int i = 0; i < 3; ++i) {
            const auto next = poll(since).next;
            BOOST_TEST(next >= since);
            since = next;
        }
        // Other lists are complete up to now.
        const auto enquiries = send("GET", "/api/v1/enquiries?updatedSince=2020-01-01T00:00:00Z&organisationId=" + ashford);
        BOOST_TEST(enquiries.status == 200);
        BOOST_TEST(enquiries.next >= "2026-03-01T12:00:00.000Z");
    });
    check_feed(answer, 0, items);
    const auto first = watcher.query("SELECT MIN(updated_at) FROM stock_items WHERE title IN ('After', 'Single')").at(0).time(0);
    BOOST_TEST((first > *core::parse_rfc3339(since)));
    BOOST_TEST(poll(since).body["data"]["total"] == items + 1);
    BOOST_TEST((poll(since).next > since));
}

// A poll found that no feed is written, and has not stored how far it went.
BOOST_AUTO_TEST_CASE(a_feed_waits_for_a_poll_before_it) {
    check_feed(feed(lines("Before")), items, 0);
    const auto polled = clock.now() + std::chrono::seconds(500);
    const auto answer = feed_while(
        lines("After"),
        [&] {
            holder.execute("UPDATE organisations SET polled_until = ? WHERE id = ?", {polled, *core::Uuid::parse(ashford)});
        },
        {}, "UPDATE feeds SET list = list WHERE list = 'stock_items'");
    check_feed(answer, 0, items);
    BOOST_TEST((watcher.query("SELECT MIN(updated_at) FROM stock_items WHERE title = 'After'").at(0).time(0) > polled));
}

// As workers of the previous release do during an upgrade.
BOOST_AUTO_TEST_CASE(a_poll_that_knows_no_feeds_makes_it_begin_again) {
    check_feed(feed(lines("Before")), items, 0);
    const auto polled = clock.now() + std::chrono::seconds(500);
    const auto answer = feed_while(lines("After"), [&] {
        watcher.execute("UPDATE organisations SET polled_until = ? WHERE id = ?", {polled, *core::Uuid::parse(ashford)});
    });
    check_feed(answer, 0, items);
    BOOST_TEST((watcher.query("SELECT MIN(updated_at) FROM stock_items WHERE title = 'After'").at(0).time(0) > polled));
}

BOOST_AUTO_TEST_CASE(who_is_removed_meanwhile_writes_nothing) {
    check_feed(feed(lines("Before")), items, 0);
    const auto answer = feed_while(lines("After"), [&] {
        watcher.execute("DELETE m FROM memberships m JOIN api_tokens t ON t.user_id = m.user_id WHERE t.hash = ?",
                        {db::Binary{core::sha256(test::fixture_token("ashford-admin"))}});
    });
    BOOST_TEST(answer.status == 404);
    BOOST_TEST(title(0) == "Before");
    BOOST_TEST(test::recount_all(watcher) == 0u);
}

BOOST_AUTO_TEST_CASE(a_reference_that_is_taken_meanwhile_writes_some_lines_again) {
    check_feed(feed(lines("Before", 200)), 50, 0);
    const auto rollbacks = [&] { return watcher.query("SHOW GLOBAL STATUS LIKE 'Com_rollback'").at(0).text(1); };
    const auto before = rollbacks();
    // Not visible to the feed until it meets the key.
    const auto answer = feed_while(
        lines("After"), [] {}, {},
        "INSERT INTO stock_items (id, organisation_id, reference, title, status, created_at, updated_at, availability, "
        "attributes) SELECT "
        "UNHEX(REPEAT('7', 32)), organisation_id, 'L-1005', 'Taken', 'DRAFT', created_at, updated_at, availability, attributes "
        "FROM "
        "stock_items WHERE reference = 'L-1200'");
    BOOST_TEST(answer.status == 200, answer.body.dump());
    BOOST_TEST(answer.body["data"]["created"] == 199);
    BOOST_TEST(answer.body["data"]["updated"] == 51);
    BOOST_TEST(title(5) == "After");
    BOOST_TEST(rollbacks() == before);
}

BOOST_AUTO_TEST_CASE(if_match_writes_over_no_later_change) {
    check_feed(feed(lines("Before")), items, 0);
    const auto tag = [&] {
        App app(config, clock, limiter, nullptr, nullptr, "uploads");
        http::Request request;
        request.method = "HEAD";
        request.target = stock + "/feed";
        request.headers = {{"authorization", "Bearer " + test::fixture_token("ashford-admin")}};
        return std::string(app.handle(request).header("ETag").value_or(""));
    };
    const auto change = [&](const char* to) {
        holder.execute("UPDATE stock_items SET title = ?, updated_at = updated_at + INTERVAL 1 SECOND WHERE reference = ?",
                       {to, db::Binary{reference(items - 1)}});
    };
    BOOST_TEST(feed_while(lines("After"), [&] { change("Theirs"); }, {"if-match", tag()}).status == 412);
    BOOST_TEST(title(0) == "Before");
    BOOST_TEST(title(items - 1) == "Theirs");
    BOOST_TEST(feed_while(lines("Third"), [] {}, {"if-match", tag()}).status == 200);
    check_feed(feed_while(lines("Fourth"), [&] { change("Theirs"); }, {"if-match", "*"}), 0, items);
    BOOST_TEST(title(items - 1) == "Fourth");
    check_feed(feed_while(lines("Fifth"), [&] { change("Theirs"); }), 0, items);
    BOOST_TEST(title(items - 1) == "Fifth");
}

BOOST_AUTO_TEST_SUITE_END()
