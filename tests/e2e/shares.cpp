// A caller over its share of the workers waits without one and is then refused, and so is everybody over the pool's; cheap reads go on (API rules, "Shares of
// workers"). The test occupies shares as workers do, through their file.
#include <atomic>
#include <future>
#include <list>
#include <optional>

#include "e2e/checks.h"
#include "limits/admission.h"
#include "support/dealer.h"
#include "support/fault_injection.h"
#include "support/prometheus.h"

using namespace tradepost;
using namespace tradepost::test;
using limits::Admission;
using limits::Cost;

namespace {

// Requests wait two seconds for their share here, as by default, and longer at stack().
Stack& impatient() {
    return fault_injection_stack();
}

// Workers of the API pool that are busy with requests of `caller` until this object ends.
class Busy {
public:
    Busy(const Stack& stack, int workers, Cost cost, const std::function<std::string(int)>& caller) {
        for (int i = 0; i < workers; ++i) {
            auto& one = workers_.emplace_back(limits::admission_path(stack.config(), "api"), 4, clock_);
            const std::vector<std::string> who{caller(i)};
            // Requests of other tests' software may be on their way.
            BOOST_REQUIRE(await([&] { return one.admit(cost, who, std::chrono::seconds(5)) == Admission::Refusal::none; }));
        }
    }

private:
    core::SystemClock clock_;
    std::list<Admission> workers_;
};

Busy all_but_one() {
    return Busy(impatient(), 3, Cost::write, [](int i) { return "somebody " + std::to_string(i); });
}

std::string id_of(DealerClient& software) {
    return software.get("/api/v1/me").json()["data"]["id"];
}

nlohmann::json item() {
    static int number = 0;
    return {{"title", "Van"}, {"reference", "V-" + std::to_string(++number)}};
}

void check_over_share(const Answer& answer) {
    check_refused(answer, 429, too_many_requests);
    BOOST_TEST(answer.header("retry-after").value_or("") == "1");
}

void check_full(const Answer& answer) {
    check_refused(answer, 503, "Service unavailable");
    BOOST_TEST(answer.header("retry-after").value_or("") == "1");
}

// A search that took longer than its own limit. A pool without a free worker returns another error.
bool is_slow_search(const Answer& answer) {
    return answer.status == 503 && answer.error() == "Search unavailable";
}

Figures figures() {
    return read_figures(Client(impatient().site(), "127.0.0.1").get("/metrics").body);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(shares)

struct Request {
    const char *method, *target;
    nlohmann::json body;
};

BOOST_AUTO_TEST_CASE(a_user_over_its_share) {
    const auto dealer = add_dealer(impatient()), other = add_dealer(impatient());
    DealerClient software(impatient(), dealer), of_another(impatient(), other);
    {
        const auto user = "user " + id_of(software);
        const Busy busy(impatient(), 2, Cost::write, [&](int) { return user; });
        const Request refused[] = {
            {"POST", "/api/v1/stock", item()},
            {"PUT", "/api/v1/stock/by-reference/A", {{"title", "Van"}}},
            {"PATCH", "/api/v1/accounts", nlohmann::json::object()},
            {"POST", "/api/v1/notification_tokens", {{"token", "t"}, {"platform", "WEB"}}},
            {"GET", "/api/v1/stock?q=van", nullptr},
            {"GET", "/api/v1/stock?updatedSince=2026-01-01T00:00:00Z", nullptr},
        };
        for (const auto& [method, target, body] : refused) BOOST_TEST_CONTEXT(method << " " << target) {
                const auto answer = software.send(method, target, body);
                check_over_share(answer);
                BOOST_TEST(!answer.header("ratelimit-limit"));  // and it was not counted
            }
        for (const auto* target : {"/api/v1/me", "/api/v1/stock", "/api/v1/accounts", "/api/v1/jobs", "/api/v1/enquiries"})
            BOOST_TEST(software.get(target).status == 200, target);
        BOOST_TEST(of_another.send("POST", "/api/v1/stock", item()).status == 201);
    }
    const auto later = software.send("POST", "/api/v1/stock", item());
    BOOST_TEST(later.status == 201);
    BOOST_TEST(later.header("ratelimit-remaining").value_or("") == "119");
}

BOOST_AUTO_TEST_CASE(a_request_that_waits_for_its_share_gets_it) {
    const auto dealer = add_dealer(stack());
    DealerClient software(stack(), dealer), reader(stack(), dealer);
    const auto user = "user " + id_of(software);
    std::optional<Busy> busy(std::in_place, stack(), 2, Cost::write, [&](int) { return user; });
    auto written = std::async(std::launch::async, [&] { return software.send("POST", "/api/v1/stock", item()); });
    // Requests that came later are served meanwhile: no worker waits with it.
    for (int i = 0; i < 30; ++i) BOOST_TEST(reader.get("/api/v1/me").status == 200);
    BOOST_TEST((written.wait_for(std::chrono::seconds(0)) == std::future_status::timeout));
    busy.reset();
    BOOST_TEST(written.get().status == 201);
}

BOOST_AUTO_TEST_CASE(an_organisation_over_its_share) {
    const auto dealer = add_dealer(impatient());
    DealerClient software(impatient(), dealer), of_colleague(impatient(), add_colleague(impatient(), dealer));
    const Busy busy(impatient(), 2, Cost::write, [&](int) { return "organisation " + dealer.organisation_id; });
    check_over_share(software.send("POST", "/api/v1/stock", item()));
    check_over_share(of_colleague.send("POST", "/api/v1/stock", item()));
}

BOOST_AUTO_TEST_CASE(an_address_over_its_share) {
    Client client(impatient().site()), other(impatient().site());
    const auto address = "address " + client.address();
    const Busy busy(impatient(), 2, Cost::write, [&](int) { return address; });
    check_over_share(client.get("/api/v1/jobs?q=engineer"));
    BOOST_TEST(client.get("/api/v1/jobs").status == 200);
    BOOST_TEST(client.get("/api/v1/jobs/facets?fields=city").status == 200);
}

// Searches may occupy half of the workers.
BOOST_AUTO_TEST_CASE(searches_over_their_share) {
    DealerClient software(impatient(), add_dealer(impatient()));
    Client client(impatient().site());
    const Busy busy(impatient(), 2, Cost::search, [](int i) { return "somebody " + std::to_string(i); });
    check_full(client.get("/api/v1/jobs?q=engineer"));
    check_full(software.get("/api/v1/stock?q=van"));
    BOOST_TEST(client.get("/api/v1/jobs").status == 200);
    BOOST_TEST(software.send("POST", "/api/v1/stock", item()).status == 201);
}

BOOST_AUTO_TEST_CASE(cheap_reads_find_a_worker) {
    DealerClient software(impatient(), add_dealer(impatient()));
    Client client(impatient().site());
    const auto before = figures();
    {
        const auto busy = all_but_one();
        check_full(software.send("POST", "/api/v1/stock", item()));
        check_full(client.get("/api/v1/jobs?q=engineer"));
        for (const auto* target : {"/api/v1/jobs", "/api/v1/events", "/api/v1/posts?limit=3", "/healthz"})
            BOOST_TEST(client.get(target).status == 200, target);
        for (const auto* target : {"/api/v1/me", "/api/v1/stock", "/api/v1/stock?page=3"})
            BOOST_TEST(software.get(target).status == 200, target);
        // A write without a rate limit asks for its caller's share alone.
        BOOST_TEST(software.send("PATCH", "/api/v1/accounts", nlohmann::json::object()).status == 200);
    }
    BOOST_TEST(software.send("POST", "/api/v1/stock", item()).status == 201);
    const auto after = figures();
    for (const auto* name : {"tradepost_cost_refused_total{cost=\"write\",share=\"pool\"}",
                             "tradepost_cost_refused_total{cost=\"search\",share=\"pool\"}"})
        BOOST_TEST(after.at(name) == before.at(name) + 1, name);
    BOOST_TEST(after.at("tradepost_cost_wait_seconds_count{cost=\"cheap\"}") >=
               before.at("tradepost_cost_wait_seconds_count{cost=\"cheap\"}") + 8);
}

BOOST_AUTO_TEST_CASE(doctor_tells_of_a_pool_that_refused) {
    DealerClient software(impatient(), add_dealer(impatient()));
    {
        const auto busy = all_but_one();
        check_full(software.send("POST", "/api/v1/stock", item()));
    }
    const auto said = impatient().ctl({"doctor"}).out;
    BOOST_TEST(said.find("WARN api pool has workers for all requests: it refused one of cost write at 2") != std::string::npos,
               said);
    BOOST_TEST(said.find("raise WORKERS of the pool") != std::string::npos);
}

// One member who searches without a pause, and one who writes, on 32 connections each.
BOOST_AUTO_TEST_CASE(a_storm_of_one_user_leaves_the_others_their_workers, *boost::unit_test::label("timing")) {
    const auto attacker = add_dealer(impatient()), other = add_dealer(impatient());
    std::atomic<bool> stop{false};
    std::array<std::atomic<int>, 600> statuses{};
    std::vector<Thread> threads;
    for (int i = 0; i < 32; ++i)
        threads.emplace_back(
            [&, i] {
                DealerClient software(impatient(), attacker);
                while (!stop) {
                    const auto answer = i % 2 ? software.get("/api/v1/stock?q=van")
                                              : software.send("PATCH", "/api/v1/accounts", nlohmann::json::object());
                    if (!is_slow_search(answer)) ++statuses[std::size_t(answer.status)];
                }
            },
            [&] { stop = true; });
    BOOST_TEST(await([&] { return statuses[200] > 200; }));
    // Every other request of somebody else finds its share free.
    DealerClient software(impatient(), other);
    for (int i = 0; i < 20; ++i) {
        BOOST_TEST(software.send("POST", "/api/v1/stock", item()).status == 201);
        const auto found = software.get("/api/v1/stock?q=van");
        BOOST_TEST((found.status == 200 || is_slow_search(found)), found.status);
        BOOST_TEST(Client(impatient().site()).get("/api/v1/jobs").status == 200);
    }
    stop = true;
    for (auto& thread : threads) thread.join();
    for (int status = 1; status < 600; ++status)
        if (status != 200 && status != 429) BOOST_TEST(statuses[std::size_t(status)] == 0, status);
}

BOOST_AUTO_TEST_SUITE_END()
