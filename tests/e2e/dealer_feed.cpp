// A dealer's nightly feed: the whole stock by reference, run again after whatever went wrong.
#include <atomic>
#include <csignal>
#include <map>
#include <mutex>
#include <set>

#include "e2e/checks.h"
#include "http/query.h"
#include "support/dealer.h"

using namespace tradepost;
using namespace tradepost::test;
using nlohmann::json;

namespace {

constexpr int items = 1500, connections = 8;

std::string reference(int i) {
    return "F-" + std::to_string(i) + "/é";
}

// The feed of one night: every third item differs from the night before.
std::vector<json> feed(int night) {
    std::vector<json> all;
    for (int i = 0; i < items; ++i) {
        const int edition = i % 3 == 0 ? night : 0;
        all.push_back({{"title", "Van " + std::to_string(i) + " “edition " + std::to_string(edition) + "”"},
                       {"description", std::string(static_cast<std::size_t>(i % 50), 'x') + "\U0001F69A"},
                       {"price", 1000000 + i * 100 + edition},
                       {"currency", "EUR"},
                       {"status", "PUBLISHED"},
                       {"attributes", {{"colour", i % 2 ? "red" : "blue"}, {"edition", std::to_string(edition)}}}});
    }
    return all;
}

struct Run {
    int created = 0, replaced = 0, failed = 0;
};

// Sends the feed once, over several connections. An item whose request fails (no answer, or a 5xx) is left to the next run, as simple
// software does it. `meanwhile` is called with the number of items sent so far, by one connection while the others go on.
Run send(
    const Dealer& dealer, const std::vector<json>& night, const std::function<void(int)>& meanwhile = [](int) {}) {
    std::atomic<int> next{0}, sent{0};
    std::mutex mutex;
    Run run;
    std::vector<std::string> errors;
    const auto work = [&](std::size_t) {
        DealerClient client(own_stack(), dealer);
        for (int i; (i = next++) < items;) {
            const auto answer =
                client.send("PUT", "/api/v1/stock/by-reference/" + http::percent_encode(reference(i)), night[std::size_t(i)]);
            {
                const std::lock_guard lock(mutex);
                if (answer.status == 201)
                    ++run.created;
                else if (answer.status == 200)
                    ++run.replaced;
                else if (answer.status == 0 || answer.status == 502 || answer.status == 503 || answer.status == 504)
                    ++run.failed;
                // While the database is away the dealer's share of the workers is taken for as long.
                else if (answer.status == 429 && answer.header("retry-after") == "1")
                    ++run.failed;
                else
                    errors.push_back("item " + std::to_string(i) + ": " + std::to_string(answer.status) + " " + answer.body +
                                     "\n" + own_stack().line_of(answer.header("x-request-id").value_or("-")));
            }
            meanwhile(++sent);
        }
    };
    in_parallel(connections, work);
    for (const auto& error : errors) BOOST_ERROR(error);
    return run;
}

// Everything that GET /stock shows, by reference.
std::map<std::string, json> stock_of(const Dealer& dealer, const std::string& filter = "") {
    DealerClient client(own_stack(), dealer);
    std::map<std::string, json> all;
    for (int page = 1, pages = 1; page <= pages; ++page) {
        const auto target = "/api/v1/stock?limit=100&page=" + std::to_string(page) + filter;
        const auto answer = until_served([&] { return client.get(target); });
        BOOST_REQUIRE_EQUAL(answer.status, 200);
        const auto data = answer.json()["data"];
        pages = data["pages"];
        for (const auto& item : data["stock"]) BOOST_TEST(all.emplace(item["reference"], item).second, "twice in the list");
    }
    return all;
}

void check_is(const std::map<std::string, json>& stock, const std::vector<json>& night) {
    BOOST_TEST(stock.size() == std::size_t(items));
    int different = 0;
    for (int i = 0; i < items; ++i) {
        const auto found = stock.find(reference(i));
        bool same = found != stock.end();
        for (const auto& [name, value] : night[std::size_t(i)].items()) same = same && found->second[name] == value;
        different += !same;
    }
    BOOST_TEST(different == 0);
}

// A worker dies, and later the database is restarted.
void interrupt(int sent) {
    if (sent == items / 5) {
        const auto workers = own_stack().workers();
        if (!workers.empty()) kill(workers.front(), SIGKILL);
    }
    if (sent == items / 2) own_stack().sv("restart", own_stack().database());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dealer_feed)

BOOST_AUTO_TEST_CASE(a_feed_through_a_killed_worker_and_a_database_restart_ends_as_the_feed_says) {
    const auto dealer = add_dealer(own_stack(), "MEMBER");
    const auto first = feed(1);
    const auto interrupted = send(dealer, first, interrupt);
    BOOST_TEST(interrupted.failed > 0);
    BOOST_REQUIRE(await([] { return own_stack().answers(); }));
    const auto repeated = send(dealer, first);
    BOOST_TEST(repeated.failed == 0);
    // What was not acknowledged may have been written all the same, but once.
    BOOST_TEST(repeated.created <= interrupted.failed);
    const auto evening = stock_of(dealer);
    check_is(evening, first);

    // The night after: a third differs, and the same goes wrong.
    const auto second = feed(2);
    const auto broken = send(dealer, second, interrupt);
    BOOST_TEST(broken.failed > 0);
    BOOST_REQUIRE(await([] { return own_stack().answers(); }));
    const auto again = send(dealer, second);
    BOOST_TEST(again.failed == 0);
    BOOST_TEST(again.created == 0);
    BOOST_TEST(again.replaced == items);
    const auto morning = stock_of(dealer);
    check_is(morning, second);

    // What did not differ was not touched: a poller sees a third and not all of it.
    int touched = 0;
    for (const auto& [name, item] : morning) {
        BOOST_TEST(item["id"] == evening.at(name)["id"]);
        touched += item["updatedAt"] != evening.at(name)["updatedAt"];
    }
    BOOST_TEST(touched == (items + 2) / 3);
}

BOOST_AUTO_TEST_SUITE_END()
