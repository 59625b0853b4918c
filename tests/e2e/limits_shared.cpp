// The default rate limits (API rules, "Rate limits"): one window per class and key, whichever worker serves.
#include <csignal>
#include <filesystem>
#include <map>

#include "e2e/checks.h"

using namespace tradepost::test;

namespace {

int retry_after(const Answer& answer) {
    const auto text = answer.header("retry-after").value_or("");
    return text.empty() || text.find_first_not_of("0123456789") != std::string::npos ? -1 : std::stoi(text);
}

void check_limited(const Answer& answer, const char* text, int window) {
    check_refused(answer, 429, text);
    BOOST_TEST(retry_after(answer) >= 1);
    BOOST_TEST(retry_after(answer) <= window);
    BOOST_TEST(answer.header("ratelimit-remaining").value_or("") == "0");  // the application's, not nginx's flood limit
    BOOST_TEST(answer.header("ratelimit-reset").value_or("") == answer.header("retry-after").value_or("-"));
}

// Passes until the class refuses; at most `tries`.
int passed(const std::function<int()>& status, int tries) {
    int count = 0;
    for (int i = 0; i < tries && status() != 429; ++i) ++count;
    return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(limits_shared)

BOOST_AUTO_TEST_CASE(sixty_public_reads_then_429_and_300_more_get_the_same) {
    Client client(stack().site());
    const char* const targets[] = {"/api/v1/jobs?limit=1", "/api/v1/events?limit=1", "/api/v1/posts?limit=1",
                                   "/api/v1/jobs/none",    "/api/v1/events/none",    "/api/v1/posts/none"};
    for (int i = 0; i < 60; ++i) {
        const auto answer = client.get(targets[i % 6]);
        BOOST_REQUIRE_NE(answer.status, 429);
        BOOST_TEST(answer.header("ratelimit-limit").value_or("") == "60");
        BOOST_TEST(answer.header("ratelimit-remaining").value_or("") == std::to_string(59 - i));
    }
    int reset = 60;
    for (int i = 0; i < 300; ++i) {
        const auto answer = client.get(targets[i % 6]);
        check_limited(answer, too_many_requests, 60);
        BOOST_TEST(retry_after(answer) <= reset);  // no refusal prolongs the window
        reset = retry_after(answer);
    }
}

BOOST_AUTO_TEST_CASE(every_worker_counts_in_the_same_window) {
    const auto address = fresh_address();
    std::map<pid_t, int> served;
    int remaining = 60;
    for (const auto worker : stack().workers()) {
        auto others = stack().workers();
        std::erase(others, worker);
        const Paused paused(others);
        Client client(stack().site(), address);
        for (int i = 0; i < 3; ++i) {
            const auto answer = client.get("/api/v1/jobs?limit=1");
            BOOST_TEST(answer.header("ratelimit-remaining").value_or("") == std::to_string(--remaining));
            ++served[stack().served_by(answer.header("x-request-id").value_or(""))];
        }
        BOOST_TEST(served[worker] == 3);
    }
    BOOST_TEST(served.size() > 1u);
}

BOOST_AUTO_TEST_CASE(of_20_parallel_clients_exactly_60_requests_pass) {
    const auto address = fresh_address();
    const auto counts = in_parallel<std::map<int, int>>(20, [&](std::size_t) {
        std::map<int, int> statuses;
        Client client(stack().site(), address);
        for (int i = 0; i < 10; ++i) ++statuses[client.get("/api/v1/jobs?limit=1").status];
        return statuses;
    });
    std::map<int, int> sum;
    for (const auto& each : counts)
        for (const auto& [status, count] : each) sum[status] += count;
    BOOST_TEST(sum[200] == 60);
    BOOST_TEST(sum[429] == 140);
}

BOOST_AUTO_TEST_CASE(what_counts_and_what_does_not) {
    Client client(stack().site());
    const auto remaining = [](const Answer& answer) { return answer.header("ratelimit-remaining").value_or("-"); };
    BOOST_TEST(remaining(client.get("/api/v1/jobs?page=0")) == "59");
    BOOST_TEST(remaining(client.send({.method = "HEAD", .target = "/api/v1/jobs"})) == "58");
    BOOST_TEST(remaining(client.send({.method = "OPTIONS", .target = "/api/v1/jobs"})) == "-");
    BOOST_TEST(remaining(client.send({.method = "POST", .target = "/api/v1/jobs/none"})) == "-");
    BOOST_TEST(remaining(client.get("/api/v1/jobs/a/b")) == "-");
    BOOST_TEST(remaining(client.get("/healthz")) == "-");
    BOOST_TEST(remaining(client.get("/api/v1/posts")) == "57");
}

BOOST_AUTO_TEST_CASE(me_has_no_limit) {
    const auto token = stack().mint(stack().add_user());
    const auto address = fresh_address();
    const auto bad = in_parallel<int>(8, [&](std::size_t) {
        Client client(stack().site(), address);
        int count = 0;
        for (int i = 0; i < 100; ++i) count += client.get("/api/v1/me", bearer(token)).status != 200;
        return count;
    });
    for (const int count : bad) BOOST_TEST(count == 0);
}

BOOST_AUTO_TEST_CASE(eight_sign_ins_for_an_address_and_email) {
    const auto user = stack().add_user();
    Client client(stack().site());
    const std::string emails[] = {user.email, "E2E" + user.email.substr(3), "  " + user.email + " "};
    int remaining = 8;
    const auto attempt = [&](const std::string& email, const std::string& password) {
        return until_served([&] {
            auto answer = client.post("/api/v1/auth", nlohmann::json{{"email", email}, {"password", password}}.dump());
            remaining -= answer.count("ratelimit-limit");  // some refusals of a busy pool have counted
            return answer;
        });
    };
    for (int i = 0; remaining > 0 && i < 8; ++i) {
        const auto answer = attempt(emails[i % 3], "wrong");
        check_refused(answer, 401, "Invalid credentials");
        BOOST_TEST(answer.header("ratelimit-remaining").value_or("") == std::to_string(remaining));
    }
    for (const auto& email : emails) check_limited(attempt(email, user.password), too_many_attempts, 900);

    // Another address, and another email from this one, have windows of their own; so have public reads.
    Client elsewhere(stack().site());
    sign_in(elsewhere, user);
    sign_in(client, stack().add_user());
    BOOST_TEST(client.get("/api/v1/jobs").header("ratelimit-remaining").value_or("") == "59");
}

// The window lives in memory that all workers of the pool share: in parallel it is as exact. A busy machine refuses some: those that
// the pool refuses have counted.
BOOST_AUTO_TEST_CASE(parallel_sign_ins_count_exactly) {
    const auto user = stack().add_user();
    const auto address = fresh_address();
    const auto statuses = in_parallel<int>(12, [&](std::size_t) {
        Client client(stack().site(), address);
        Answer answer;
        await([&] {
            answer = client.post("/api/v1/auth", nlohmann::json{{"email", user.email}, {"password", "wrong"}}.dump());
            return answer.count("ratelimit-limit") == 1;
        });
        return answer.status;
    });
    BOOST_TEST(std::count(statuses.begin(), statuses.end(), 429) == 4);
    BOOST_TEST(std::count(statuses.begin(), statuses.end(), 401) + std::count(statuses.begin(), statuses.end(), 503) == 8);
}

// A window outlives the workers that counted in it.
BOOST_AUTO_TEST_CASE(a_window_survives_killed_workers) {
    Client client(stack().site());
    BOOST_TEST(passed([&] { return client.get("/api/v1/jobs?limit=1").status; }, 30) == 30);
    const auto workers = stack().workers();
    for (const auto worker : workers) kill(worker, SIGKILL);
    BOOST_REQUIRE(stack().await_workers(workers.size()));
    BOOST_TEST(passed([&] { return client.get("/api/v1/jobs?limit=1").status; }, 100) == 30);
}

// The files that workers map are truncated and replaced again and again while these use them.
BOOST_AUTO_TEST_CASE(no_worker_dies_of_a_truncated_file) {
    const auto counters = stack().config().counters_path();
    const auto workers = stack().workers();
    const auto replaced = [before = stack().lines_with("api", "event=shared_file_replaced")] {
        return stack().lines_with("api", "event=shared_file_replaced") - before;
    };
    std::atomic<bool> done = false;
    std::atomic<int> failed = 0, answered = 0;
    std::vector<Thread> clients;
    for (int i = 0; i < 4; ++i)
        clients.emplace_back(
            [&] {
                Client client(stack().site());
                while (!done) {
                    const auto status = client.get("/api/v1/jobs?limit=1").status;
                    ++(status == 200 || status == 429 ? answered : failed);
                }
            },
            [&] { done = true; });
    for (int round = 0; round < 30; ++round) {
        for (const auto* suffix : {"", ":versions", ":metrics"}) {
            const auto path = counters + suffix;
            BOOST_TEST(await([&] { return std::filesystem::exists(path); }));
            if (round % 3 == 2)
                std::filesystem::remove(path);
            else
                BOOST_TEST(truncate(path.c_str(), round % 3 == 0 ? 0 : 4096) == 0);
        }
        const int until = answered + 40;
        BOOST_TEST(await([&] { return answered >= until; }));
    }
    done = true;
    for (auto& client : clients) client.join();
    BOOST_TEST(failed == 0);
    BOOST_TEST(stack().workers() == workers, boost::test_tools::per_element());
    // One line for a file that was found truncated, from one of the workers.
    BOOST_TEST(replaced() > 0u);
    BOOST_TEST(replaced() <= 60u);

    // Workers without requests have not seen the new files. Other tests count workers by them.
    for (const std::string pool : {"api", "auth", "uploads"}) {
        const auto old = stack().workers(pool);
        for (const auto worker : old) kill(worker, SIGTERM);
        for (const auto worker : old) BOOST_TEST(await([&] { return kill(worker, 0) != 0; }));
        BOOST_TEST(stack().await_workers(old.size(), pool));
    }

    // Limits hold again.
    Client client(stack().site(), fresh_address());
    BOOST_TEST(await([&] { return passed([&] { return client.get("/api/v1/jobs?limit=1").status; }, 70) <= 60; }));
}

BOOST_AUTO_TEST_CASE(forged_addresses_change_nothing) {
    const auto address = fresh_address();
    int remaining = 60;
    for (const auto* name : {"X-Forwarded-For", "X-Real-IP", "Forwarded", "Proxy", "True-Client-IP", "CF-Connecting-IP",
                             "X-Client-IP", "X_Forwarded_For", "Remote-Addr"})
        for (const auto* value : {"203.0.113.9", "for=203.0.113.9", "127.0.0.1, 10.0.0.1", "::1", "nonsense"})
            BOOST_TEST_CONTEXT(name << ": " << value) {
                const auto answer = Client(stack().site(), address).get("/api/v1/jobs?limit=1", {{name, value}});
                BOOST_TEST(answer.status == 200);
                BOOST_TEST(answer.header("ratelimit-remaining").value_or("") == std::to_string(--remaining));
            }
}

BOOST_AUTO_TEST_SUITE_END()
