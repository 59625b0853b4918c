// Clients that read whole feeds slowly.
#include <filesystem>
#include <future>
#include <memory>
#include <optional>

#include "core/clock.h"
#include "e2e/checks.h"
#include "limits/admission.h"
#include "resource/feed/writing.h"
#include "support/dealer.h"
#include "support/raw_connection.h"

using namespace tradepost;
using namespace tradepost::test;
using nlohmann::json;

namespace {

constexpr int items = 5000;  // more bytes than all buffers on the way hold

std::string feed() {
    std::string lines;
    for (int i = 0; i < items; ++i)
        lines += json{{"reference", "F-" + std::to_string(i)}, {"title", "Van"}, {"description", std::string(1800, 'x')}}.dump() +
                 "\n";
    return lines;
}

void put(const Dealer& dealer) {
    auto headers = bearer(dealer.token);
    headers.emplace_back("Content-Type", "application/x-ndjson");
    const auto answer =
        Client(stack().site()).send({.method = "PUT", .target = "/api/v1/stock/feed", .headers = headers, .body = feed()});
    BOOST_REQUIRE_EQUAL(answer.status, 200);
}

std::unique_ptr<RawConnection> ask(const Dealer& dealer) {
    auto connection = std::make_unique<RawConnection>(stack().site());
    connection->send("GET /api/v1/stock/feed HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer " +
                     dealer.token + "\r\n\r\n");
    return connection;
}

int feeds_served() {
    return stack().lines_with("uploads", "method=GET route=/api/v1/stock/feed status=200");
}

long temporary_files() {
    long count = 0;
    std::error_code error;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(stack().state() + "/tmp/nginx-fastcgi", error))
        count += entry.is_regular_file(error);
    return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(feeds_read)

BOOST_AUTO_TEST_CASE(slow_clients_hold_no_worker, *boost::unit_test::label("slow")) {
    const auto workers = stack().workers("uploads");
    std::vector<Dealer> dealers;
    for (std::size_t i = 0; i <= workers.size(); ++i) {
        dealers.push_back(add_dealer(stack()));
        put(dealers.back());
    }
    const auto served = feeds_served();
    std::vector<std::unique_ptr<RawConnection>> slow;
    // One after the other: at the same moment, they would be more than the pool's share of expensive requests.
    for (const auto& dealer : dealers) {
        slow.push_back(ask(dealer));
        BOOST_TEST(await([&] { return feeds_served() >= served + int(slow.size()); }));
    }

    // Each worker is free, and a worker has one transaction at a time.
    BOOST_TEST(DealerClient(stack(), dealers[0]).get("/api/v1/uploads").status == 200);
    BOOST_TEST(temporary_files() == 0);

    // Two with a token, and no third.
    slow.push_back(ask(dealers[0]));
    BOOST_TEST(await([&] { return feeds_served() >= served + int(dealers.size()) + 1; }));
    const auto refused = DealerClient(stack(), dealers[0]).get("/api/v1/stock/feed");
    check_refused(refused, 429, too_many_requests);
    BOOST_TEST(refused.header("retry-after").value_or("") == "1");

    for (auto& each : slow) {
        const auto answer = each->read_to_end(std::chrono::seconds(60));
        BOOST_TEST(answer.starts_with("HTTP/1.1 200 "));
        BOOST_TEST(answer.find("\r\nTransfer-Encoding: chunked\r\n") != std::string::npos);
        BOOST_TEST(answer.ends_with("\r\n0\r\n\r\n"));
    }
    BOOST_TEST(stack().workers("uploads") == workers, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_organisation_has_one_read_at_a_time) {
    const auto dealer = add_dealer(stack()), other = add_dealer(stack());
    const core::SystemClock clock;
    limits::Turns turns(limits::admission_path(stack().config(), "uploads"), clock);
    const auto key = "reading of " + feeds::turn_key(*core::Uuid::parse(dealer.organisation_id));
    std::optional<limits::Turns::Taken> read(turns.take(key, feeds::most_waiting));
    BOOST_REQUIRE(read->place.work(1, std::chrono::milliseconds(0)));
    auto waits = std::async(std::launch::async, [&] { return DealerClient(stack(), dealer).get("/api/v1/stock/feed").status; });
    for (int i = 0; i < 5; ++i) BOOST_TEST(DealerClient(stack(), other).get("/api/v1/stock/feed").status == 200);
    BOOST_TEST((waits.wait_for(std::chrono::seconds(0)) == std::future_status::timeout));
    read.reset();
    BOOST_TEST(waits.get() == 200);
}

BOOST_AUTO_TEST_SUITE_END()
