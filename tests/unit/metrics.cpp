#include "metrics/metrics.h"

#define BOOST_TEST_DYN_LINK
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "audit/record.h"
#include "core/crypto.h"
#include "support/process.h"
#include "support/prometheus.h"
#include "support/quiet.h"

using namespace tradepost;
using namespace std::chrono_literals;
using metrics::Metrics;

namespace {

namespace fs = std::filesystem;

const std::vector<metrics::RouteLabels> routes{{"GET", "/jobs"}, {"POST", "/jobs"}};

struct File {
    fs::path folder = fs::temp_directory_path() / ("tradepost-metrics-" + core::to_hex(core::random_bytes(6)));
    std::string path = folder / "limits:metrics";
    File() { fs::create_directory(folder); }
    ~File() { fs::remove_all(folder); }

    Metrics open(const std::string& pool = "api") const { return Metrics(path, routes, pool); }
};

test::Figures figures(const Metrics& metrics) {
    const auto text = metrics.text();
    BOOST_REQUIRE(text.has_value());
    auto read = test::read_figures(*text);
    for (const auto& fault : read.faults) BOOST_ERROR(fault);
    return read;
}

void serve(Metrics& metrics, std::optional<std::size_t> route = 0, int status = 200, std::chrono::nanoseconds taken = 3ms) {
    metrics.begin();
    metrics.end(route, status, taken, 1ms);
}

// A process of its own: as a worker that counts and is killed, in the middle of a request if `busy`.
void killed_worker(const File& file, int requests, bool busy) {
    const pid_t child = fork();
    BOOST_REQUIRE(child >= 0);
    if (child == 0) {
        auto metrics = file.open("api");
        for (int i = 0; i < requests; ++i) serve(metrics);
        if (busy) metrics.begin();
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    BOOST_REQUIRE(WIFSIGNALED(status));
}

constexpr const char* get_ok = "tradepost_requests_total{method=\"GET\",route=\"/jobs\",status=\"200\"}";

}  // namespace

BOOST_AUTO_TEST_SUITE(metrics_shared)

BOOST_AUTO_TEST_CASE(requests_by_route_and_status) {
    const File file;
    auto metrics = file.open();
    serve(metrics);
    serve(metrics);
    serve(metrics, 1, 429);
    serve(metrics, {}, 404);
    serve(metrics, 1, 418);
    const auto found = figures(metrics);
    BOOST_TEST(found.at(get_ok) == 2);
    BOOST_TEST(found.at("tradepost_requests_total{method=\"POST\",route=\"/jobs\",status=\"429\"}") == 1);
    BOOST_TEST(found.at("tradepost_requests_total{method=\"POST\",route=\"/jobs\",status=\"other\"}") == 1);
    BOOST_TEST(found.at("tradepost_requests_total{method=\"-\",route=\"-\",status=\"404\"}") == 1);
    BOOST_TEST(found.at("tradepost_database_seconds_total") == 0.005);
    BOOST_TEST(found.types.at("tradepost_request_duration_seconds") == "histogram");
}

BOOST_AUTO_TEST_CASE(durations_fall_into_their_buckets) {
    const File file;
    auto metrics = file.open();
    for (const auto taken : {100us, 500us, 501us, 30ms / 1us * 1us, 10s / 1us * 1us, 11s / 1us * 1us})
        serve(metrics, 0, 200, taken);
    const auto found = figures(metrics);
    const auto at_most = [&](const std::string& bound) {
        return found.at("tradepost_request_duration_seconds_bucket{method=\"GET\",route=\"/jobs\",le=\"" + bound + "\"}");
    };
    BOOST_TEST(at_most("0.0005") == 2);
    BOOST_TEST(at_most("0.001") == 3);
    BOOST_TEST(at_most("0.025") == 3);
    BOOST_TEST(at_most("0.05") == 4);
    BOOST_TEST(at_most("10") == 5);
    BOOST_TEST(at_most("+Inf") == 6);
    BOOST_TEST(found.at("tradepost_request_duration_seconds_sum{method=\"GET\",route=\"/jobs\"}") == 21.031101);
    BOOST_TEST(found.at("tradepost_request_duration_seconds_count{method=\"GET\",route=\"/jobs\"}") == 6);
}

BOOST_AUTO_TEST_CASE(each_cost_tells_what_runs_was_refused_and_waited) {
    using limits::Cost;
    using Refusal = limits::Admission::Refusal;
    const File file;
    auto metrics = file.open(), other = file.open("uploads");
    other.begin();
    other.admitted(Cost::bulk, Refusal::none);
    metrics.admitted(Cost::search, Refusal::caller);
    metrics.admitted(Cost::search, Refusal::caller);
    metrics.admitted(Cost::search, Refusal::pool);
    for (int i = 0; i < 98; ++i) metrics.waited(Cost::search, 0ms);
    for (int i = 0; i < 2; ++i) metrics.waited(Cost::search, 200ms);
    const auto found = figures(metrics);
    BOOST_TEST(found.at("tradepost_cost_running{cost=\"bulk\"}") == 1);
    BOOST_TEST(found.at("tradepost_cost_running{cost=\"search\"}") == 0);
    BOOST_TEST(found.at("tradepost_cost_refused_total{cost=\"search\",share=\"caller\"}") == 2);
    BOOST_TEST(found.at("tradepost_cost_refused_total{cost=\"search\",share=\"pool\"}") == 1);
    BOOST_TEST(found.at("tradepost_cost_wait_seconds_count{cost=\"search\"}") == 100);
    BOOST_TEST(found.at("tradepost_cost_wait_p99_seconds{cost=\"search\"}") == 0.25);
    BOOST_TEST(found.at("tradepost_cost_wait_p99_seconds{cost=\"cheap\"}") == 0);
    BOOST_TEST(metrics.last_refusal("api", Cost::search) + 60 > std::uint64_t(time(nullptr)));
    BOOST_TEST(metrics.last_refusal("uploads", Cost::search) == 0);
    BOOST_TEST(metrics.last_refusal("api", Cost::write) == 0);
}

BOOST_AUTO_TEST_CASE(searches_by_engine) {
    const File file;
    auto metrics = file.open();
    BOOST_TEST(metrics.text()->find("tradepost_search_seconds_count") == std::string::npos);
    for (const auto taken : {3ms, 500ms, 501ms}) metrics.searched("mysql", taken);
    file.open("auth").searched("mysql", 11s);  // of another worker
    metrics.searched("sphinx", 1ms);
    metrics.searched("other", 1ms);
    const auto found = figures(metrics);
    BOOST_TEST(found.types.at("tradepost_search_seconds") == "histogram");
    const auto at_most = [&](const std::string& bound) {
        return found.at("tradepost_search_seconds_bucket{engine=\"mysql\",le=\"" + bound + "\"}");
    };
    BOOST_TEST(at_most("0.0025") == 0);
    BOOST_TEST(at_most("0.005") == 1);
    BOOST_TEST(at_most("0.5") == 2);
    BOOST_TEST(at_most("1") == 3);
    BOOST_TEST(at_most("+Inf") == 4);
    BOOST_TEST(found.at("tradepost_search_seconds_sum{engine=\"mysql\"}") == 12.004);
    BOOST_TEST(found.at("tradepost_search_seconds_count{engine=\"sphinx\"}") == 1);
    const auto slow = metrics.slow_searches("mysql", 500ms);
    BOOST_TEST(slow.all == 4u);
    BOOST_TEST(slow.slow == 2u);
    BOOST_TEST(metrics.slow_searches("other", 500ms).all == 0u);
}

BOOST_AUTO_TEST_CASE(what_was_refused_and_what_failed) {
    const File file;
    auto metrics = file.open();
    metrics.rate_limited("auth");
    metrics.rate_limited("write");
    metrics.rate_limited("write");
    metrics.rate_limited("auth_address");
    metrics.rate_limited("diagnosis");
    metrics.database_errors({2, 0, 0, 1});
    metrics.database_errors({2, 0, 0, 1});
    metrics.database_errors({3, 1, 0, 1});
    const auto found = figures(metrics);
    BOOST_TEST(found.at("tradepost_rate_limited_total{class=\"auth\"}") == 1);
    BOOST_TEST(found.at("tradepost_rate_limited_total{class=\"auth_address\"}") == 1);
    BOOST_TEST(found.at("tradepost_rate_limited_total{class=\"write\"}") == 2);
    BOOST_TEST(found.at("tradepost_rate_limited_total{class=\"public\"}") == 0);
    BOOST_TEST(found.at("tradepost_database_errors_total{kind=\"unavailable\"}") == 3);
    BOOST_TEST(found.at("tradepost_database_errors_total{kind=\"conflict\"}") == 1);
    BOOST_TEST(found.at("tradepost_database_errors_total{kind=\"other\"}") == 1);
}

// Each worker counts what it recorded itself, with the request that it recorded it in.
BOOST_AUTO_TEST_CASE(events_of_the_audit_log) {
    const File file;
    core::Config::Database nowhere;
    nowhere.socket = file.folder / "none";
    db::Connection connection(nowhere);
    const auto fail = [&] { audit::record_failure(connection, {}, {.event = audit::Event::sign_in_failed}); };
    fail();  // before this worker's time
    auto metrics = file.open();
    fail();
    fail();
    serve(metrics);
    fail();
    serve(metrics);
    serve(metrics);
    const auto found = figures(metrics);
    BOOST_TEST(found.at("tradepost_audit_events_total{event=\"sign_in_failed\"}") == 3);
    BOOST_TEST(found.at("tradepost_audit_events_total{event=\"exported\"}") == 0);
}

BOOST_AUTO_TEST_CASE(workers_of_all_pools_are_summed) {
    const File file;
    auto one = file.open("api"), two = file.open("api"), other = file.open("auth");
    serve(one);
    serve(two);
    serve(other);
    two.begin();
    other.begin();
    one.begin();  // it is the one that answers
    const auto found = figures(one);
    BOOST_TEST(found.at(get_ok) == 3);
    BOOST_TEST(found.at("tradepost_workers{pool=\"api\"}") == 2);
    BOOST_TEST(found.at("tradepost_workers{pool=\"auth\"}") == 1);
    BOOST_TEST(found.at("tradepost_workers_busy{pool=\"api\"}") == 1);
    BOOST_TEST(found.at("tradepost_workers_busy{pool=\"auth\"}") == 1);
    BOOST_TEST(found.at("tradepost_worker_starts_total") == 3);
}

BOOST_AUTO_TEST_CASE(killed_workers_leave_their_figures_and_nothing_else) {
    const File file;
    auto metrics = file.open("auth");
    // More than there is room for at once: each takes the place of the one before.
    for (std::size_t i = 0; i < metrics::slot_count + 10; ++i) killed_worker(file, 2, i % 2 == 0);
    const auto found = figures(metrics);
    BOOST_TEST(found.at(get_ok) == 2.0 * (metrics::slot_count + 10));
    BOOST_TEST(!found.samples.contains("tradepost_workers{pool=\"api\"}"));
    BOOST_TEST(found.at("tradepost_workers{pool=\"auth\"}") == 1);
    BOOST_TEST(found.at("tradepost_worker_starts_total") == double(metrics::slot_count + 11));
}

BOOST_AUTO_TEST_CASE(figures_outlive_all_workers) {
    const File file;
    killed_worker(file, 3, false);
    const auto metrics = file.open();
    BOOST_TEST(figures(metrics).at(get_ok) == 3);
}

BOOST_AUTO_TEST_CASE(who_finds_no_place_counts_nothing) {
    const test::Quiet quiet;
    const File file;
    std::vector<std::unique_ptr<Metrics>> all;
    for (std::size_t i = 0; i < metrics::slot_count; ++i) all.push_back(std::make_unique<Metrics>(file.path, routes, "api"));
    auto late = file.open();
    serve(late);
    late.rate_limited("auth");
    late.database_errors({1, 1, 1, 1});
    BOOST_TEST(!late.text().has_value());
    BOOST_TEST(figures(*all.front()).at("tradepost_workers{pool=\"api\"}") == double(metrics::slot_count));
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_used_costs_only_the_figures) {
    const test::Quiet quiet;
    const File file;
    for (const std::string& path : {file.folder.string(), file.folder.string() + "/none/limits:metrics"}) {
        Metrics metrics(path, routes, "api");
        serve(metrics);
        BOOST_TEST(!metrics.text().has_value());
    }
}

BOOST_AUTO_TEST_CASE(a_damaged_file_is_made_anew) {
    const File file;
    std::ofstream(file.path) << "something else";
    auto metrics = file.open();
    serve(metrics);
    BOOST_TEST(figures(metrics).at(get_ok) == 1);
}

// By whoever looks first, once a second; the others follow to it.
BOOST_AUTO_TEST_CASE(a_file_that_was_removed_is_made_again) {
    const File file;
    auto one = file.open(), two = file.open();
    serve(one);
    fs::remove(file.path);
    const bool there = test::await([&] {
        serve(one);
        serve(two);
        const auto seen = figures(one);
        return fs::exists(file.path) && seen.at("tradepost_workers{pool=\"api\"}") == 2 &&
               seen.at(get_ok) == figures(two).at(get_ok);
    });
    BOOST_TEST(there);
}

// An upgrade with another route table, while workers of the old program still run.
BOOST_AUTO_TEST_CASE(two_programs_do_not_mix) {
    const File file;
    auto old = file.open();
    serve(old);
    Metrics newer(file.path, {{"GET", "/jobs"}, {"GET", "/new"}, {"POST", "/jobs"}}, "api");
    const auto inode = [&] {
        struct stat status {};
        stat(file.path.c_str(), &status);
        return status.st_ino;
    };
    const auto before = inode();
    // Until each has looked for its file once more.
    int count = 1;
    const auto seconds = [] {
        timespec now{};
        clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
        return now.tv_sec;
    };
    const auto begun = seconds();
    test::await([&] {
        serve(old);
        newer.begin();
        ++count;
        return seconds() >= begun + 2;
    });
    serve(newer, 1);
    BOOST_TEST(inode() == before);
    BOOST_TEST(figures(old).at(get_ok) == count);
    BOOST_TEST(figures(newer).at(get_ok) == 0);
    BOOST_TEST(figures(newer).at("tradepost_requests_total{method=\"GET\",route=\"/new\",status=\"200\"}") == 1);
}

BOOST_AUTO_TEST_CASE(the_reader_of_these_tests_is_strict) {
    const auto faults = [](const std::string& text) { return test::read_figures(text).faults.size(); };
    const std::string head = "# HELP a_total b\n# TYPE a_total counter\n";
    BOOST_TEST(faults(head + "a_total 1\n") == 0u);
    BOOST_TEST(faults(head + "a_total 1") == 1u);
    BOOST_TEST(faults(head + "a_total 1\na_total 1\n") == 1u);
    BOOST_TEST(faults(head + "b_total 1\n") == 1u);
    BOOST_TEST(faults(head + "a_total{x=y} 1\n") == 1u);
    BOOST_TEST(faults(head + "a_total x\n") == 1u);
    BOOST_TEST(faults(head + head) == 1u);
    BOOST_TEST(faults("a_total 1\n") == 1u);
    const std::string histogram = "# HELP h b\n# TYPE h histogram\nh_bucket{x=\"1\",le=\"1\"} 2\n";
    BOOST_TEST(faults(histogram + "h_bucket{x=\"1\",le=\"+Inf\"} 2\nh_sum{x=\"1\"} 1\nh_count{x=\"1\"} 2\n") == 0u);
    BOOST_TEST(
        faults(histogram +
               "h_bucket{x=\"1\",le=\"+Inf\"} 2\nh_sum{x=\"1\"} 1\nh_count{x=\"1\"} 2\n"
               "# HELP i b\n# TYPE i histogram\ni_bucket{x=\"1\",le=\"+Inf\"} 3\ni_sum{x=\"1\"} 1\ni_count{x=\"1\"} 3\n") == 0u);
    BOOST_TEST(faults(histogram + "h_bucket{x=\"1\",le=\"+Inf\"} 1\nh_sum{x=\"1\"} 1\nh_count{x=\"1\"} 1\n") == 1u);
    BOOST_TEST(faults(histogram + "h_bucket{x=\"1\",le=\"+Inf\"} 2\nh_sum{x=\"1\"} 1\nh_count{x=\"1\"} 3\n") == 1u);
    BOOST_TEST(faults(histogram + "h_sum{x=\"1\"} 1\nh_count{x=\"1\"} 2\n") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
