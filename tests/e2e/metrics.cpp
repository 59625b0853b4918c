// /metrics (API rules, "Operation"): Prometheus' text, for this host only, summed over all workers.
#include <csignal>
#include <filesystem>
#include <fstream>

#include "core/version.h"
#include "db/connection.h"
#include "db/health.h"
#include "e2e/checks.h"
#include "support/fault_injection.h"
#include "support/prometheus.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

constexpr const char* this_host = "127.0.0.1";

Figures figures(const Stack& one = stack()) {
    const auto answer = Client(one.site(), this_host).get("/metrics");
    BOOST_REQUIRE_EQUAL(answer.status, 200);
    auto read = read_figures(answer.body);
    for (const auto& fault : read.faults) BOOST_ERROR(fault);
    return read;
}

std::string requests(const std::string& method, const std::string& route, int status) {
    return "tradepost_requests_total{method=\"" + method + "\",route=\"" + route + "\",status=\"" + std::to_string(status) +
           "\"}";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(metrics_route)

BOOST_AUTO_TEST_CASE(it_is_prometheus_text) {
    Client client(stack().site(), this_host);
    const auto answer = client.get("/metrics");
    BOOST_TEST(answer.status == 200);
    BOOST_TEST(answer.header("content-type").value_or("") == "text/plain; version=0.0.4; charset=utf-8");
    BOOST_TEST(answer.header("cache-control").value_or("") == "no-store");
    BOOST_TEST(answer.count("x-request-id") == 1u);
    BOOST_TEST(answer.header("x-content-type-options").value_or("") == "nosniff");
    const auto build = std::string("\ntradepost_build_info{version=\"") + core::version + "\",schema=\"" +
                       std::to_string(db::Health::needed_migration) + "\"} 1\n";
    BOOST_TEST(answer.body.find(build) != std::string::npos, build);
    for (const char* figure : {"\ntradepost_outbox_messages{state=\"waiting\"} ", "\ntradepost_outbox_messages{state=\"dead\"} ",
                               "\ntradepost_outbox_lag_seconds "})
        BOOST_TEST(answer.body.find(figure) != std::string::npos, figure);
    const auto head = client.send({.method = "HEAD", .target = "/metrics"});
    BOOST_TEST(head.status == 200);
    BOOST_TEST(head.body == "");
    const auto refused = client.send({.method = "DELETE", .target = "/metrics"});
    check_refused(refused, 405, "Method not allowed");
    BOOST_TEST(refused.header("allow").value_or("") == "GET, HEAD, OPTIONS");
    const auto types = figures().types;
    for (const auto* family : {"tradepost_requests_total", "tradepost_request_duration_seconds", "tradepost_rate_limited_total",
                               "tradepost_database_errors_total", "tradepost_workers", "tradepost_workers_busy"})
        BOOST_TEST(types.contains(family), family);
}

BOOST_AUTO_TEST_CASE(ages_of_what_was_done) {
    const auto& target = fault_injection_stack();
    const auto body = [&] { return Client(target.site(), this_host).get("/metrics").body; };
    BOOST_TEST(body().find("\ntradepost_backup_configured 0\n") != std::string::npos);
    for (const std::string what : {"backup", "rehearsal"}) {
        const auto age = "tradepost_" + what + "_age_seconds";
        BOOST_TEST(body().find(age) == std::string::npos);
        const auto mark = target.state() + (what == "backup" ? "/tradepost.backed-up" : "/tradepost.rehearsed");
        std::ofstream{mark};
        std::filesystem::last_write_time(mark, std::filesystem::file_time_type::clock::now() - std::chrono::hours(26));
        const auto found = figures(target).at(age);
        BOOST_TEST(found >= 26 * 3600);
        BOOST_TEST(found < 26 * 3600 + 60);
        std::filesystem::remove(mark);
    }
}

// And the manuals of whoever runs the service.
BOOST_AUTO_TEST_CASE(only_this_host_may_ask) {
    auto& own = own_stack();
    for (const std::string target : {"/metrics", "/docs/operators/", "/docs/operators/cluster"}) BOOST_TEST_CONTEXT(target) {
            check_refused(Client(stack().site(), "127.0.0.2").get(target), 403, "Forbidden");
            // By way of a proxy on this host, whatever it or its client says.
            for (const auto* header : {"X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"})
                check_refused(Client(stack().site(), this_host).get(target, {{header, "127.0.0.1"}}), 403, "Forbidden");
            // Behind a proxy that is trusted the address is the client's: it cannot be forged.
            for (const auto* forged : {"127.0.0.1", "::1", "127.0.0.1, 203.0.113.9", "203.0.113.9, 127.0.0.1"})
                check_refused(Client(own.site(), trusted_proxy).get(target, {{"X-Forwarded-For", forged}}), 403, "Forbidden");
            BOOST_TEST(Client(stack().site(), this_host).get(target).status == 200);
        }
    BOOST_TEST(Client(own.site(), this_host).get("/metrics").status == 200);
}

BOOST_AUTO_TEST_CASE(every_request_is_counted_once) {
    const auto before = figures();
    constexpr int count = 30;
    in_parallel(3, [](std::size_t) {
        Client client(stack().site());
        for (int i = 0; i < count / 3; ++i) client.get("/api/v1/events/none-of-this-name-" + std::to_string(i));
    });
    Client(stack().site()).send({.method = "HEAD", .target = "/api/v1/events/none"});
    const auto after = figures();
    const auto difference = [&](const std::string& sample) { return after.at(sample) - before.at(sample); };
    BOOST_TEST(difference(requests("GET", "/api/v1/events/{idOrSlug}", 404)) == count + 1);
    const std::string labels = "{method=\"GET\",route=\"/api/v1/events/{idOrSlug}\"}";
    BOOST_TEST(difference("tradepost_request_duration_seconds_count" + labels) == count + 1);
    BOOST_TEST(difference("tradepost_request_duration_seconds_sum" + labels) > 0);
    BOOST_TEST(difference(requests("GET", "/metrics", 200)) == 1);
}

BOOST_AUTO_TEST_CASE(refusals_by_class) {
    const auto sample = [](const std::string& name) { return "tradepost_rate_limited_total{class=\"" + name + "\"}"; };
    const auto before = figures();
    Client client(stack().site());
    const auto repeat_until_limited = [](int times, const std::function<Answer()>& send) {
        for (int limited = 0, sent = 0; limited < times && sent < 200; ++sent) limited += send().status == 429;
    };
    repeat_until_limited(3, [&] { return client.get("/api/v1/posts"); });
    repeat_until_limited(
        2, [&] { return post_until_served(client, "/api/v1/auth", R"({"email":"nobody@tradepost.example","password":"x"})"); });
    const auto after = figures();
    BOOST_TEST(after.at(sample("public")) - before.at(sample("public")) == 3);
    BOOST_TEST(after.at(sample("auth")) - before.at(sample("auth")) == 2);
    BOOST_TEST(after.at(sample("write")) == before.at(sample("write")));
}

BOOST_AUTO_TEST_CASE(a_killed_worker_leaves_its_counts) {
    const auto count = stack().workers().size();
    Client client(stack().site());
    for (int i = 0; i < 40; ++i) client.get("/api/v1/posts/none");
    const auto before = figures();
    for (const auto worker : stack().workers()) kill(worker, SIGKILL);
    // Those that come after them take their places.
    BOOST_TEST(await([&] {
        return figures().at("tradepost_worker_starts_total") - before.at("tradepost_worker_starts_total") >= double(count);
    }));
    const auto after = figures();
    BOOST_TEST(after.at(requests("GET", "/api/v1/posts/{idOrSlug}", 404)) ==
               before.at(requests("GET", "/api/v1/posts/{idOrSlug}", 404)));
    BOOST_TEST(after.at("tradepost_workers{pool=\"api\"}") == double(count));
    BOOST_REQUIRE(stack().await_workers(count));
}

BOOST_AUTO_TEST_CASE(workers_and_how_many_are_busy) {
    for (const auto* pool : {"api", "auth", "uploads"}) {
        const auto sample = std::string("tradepost_workers{pool=\"") + pool + "\"}";
        BOOST_TEST(await([&] { return figures().at(sample) == double(stack().workers(pool).size()); }), pool);
    }
    db::Connection other(stack().config().database, std::chrono::seconds(60));
    other.execute("LOCK TABLES jobs WRITE");
    Answer answer;
    Thread client([&] { answer = Client(stack().site()).get("/api/v1/jobs?city=Norwich"); });
    const bool seen = await([] { return figures().at("tradepost_workers_busy{pool=\"api\"}") == 1; });
    other.execute("UNLOCK TABLES");
    client.join();
    BOOST_TEST(seen);
    BOOST_TEST(answer.status == 200);
    BOOST_TEST(await([] { return figures().at("tradepost_workers_busy{pool=\"api\"}") == 0; }));
}

BOOST_AUTO_TEST_CASE(errors_of_the_database) {
    auto& target = fault_injection_stack();
    const auto before = figures(target).at("tradepost_database_errors_total{kind=\"unavailable\"}");
    target.sv("stop", target.database());
    const auto answer = Client(target.site()).get("/api/v1/jobs?city=Hull");
    const auto without = figures(target).types;
    target.sv("start", target.database());
    BOOST_TEST(answer.status == 503);
    // The alert TradepostDatabaseUnavailable of systemd/monitoring depends on it.
    BOOST_TEST(!without.contains("tradepost_outbox_lag_seconds"));
    BOOST_REQUIRE(await([&] { return target.answers(); }));
    BOOST_TEST(figures(target).at("tradepost_database_errors_total{kind=\"unavailable\"}") > before);
}

BOOST_AUTO_TEST_SUITE_END()
