// The life of workers under load (API rules, "Operation"): what a signal costs, and that it costs nobody else anything.
#include <atomic>
#include <csignal>
#include <map>

#include "db/connection.h"
#include "e2e/checks.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

// Requests of several clients, again and again, until this object is asked what came of them.
class Load {
public:
    explicit Load(std::string token) {
        for (int i = 0; i < 6; ++i)
            threads_.emplace_back([this, token] {
                Client client(stack().site());
                while (!stop_) {
                    const auto answer = client.get("/api/v1/me", bearer(token));
                    const std::lock_guard lock(mutex_);
                    ++counts_[answer.status];
                    ++answered_;
                }
            });
    }
    ~Load() { finish(); }
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

    void await_more(int requests) const {
        const int until = answered_ + requests;
        BOOST_REQUIRE(await([&] { return answered_ >= until; }));
    }
    std::map<int, int> finish() {
        stop_ = true;
        threads_.clear();  // waits for them
        return counts_;
    }

private:
    std::atomic<bool> stop_{false};
    std::atomic<int> answered_{0};
    std::mutex mutex_;
    std::map<int, int> counts_;
    std::vector<Thread> threads_;
};

int failures(const std::map<int, int>& counts) {
    int sum = 0;
    for (const auto& [status, count] : counts)
        if (status != 200) {
            BOOST_TEST_MESSAGE(count << " answers " << status);
            sum += count;
        }
    return sum;
}

// Holds table jobs so that whoever reads it waits.
class JobsLocked {
public:
    JobsLocked() : connection_(stack().config().database, std::chrono::seconds(60)) {
        connection_.execute("LOCK TABLES jobs WRITE");
    }
    // Until somebody waits for the lock.
    bool awaited() {
        return await([&] {
            return !connection_
                        .query("SELECT 1 FROM information_schema.processlist WHERE state LIKE 'Waiting for table%' LIMIT 1")
                        .empty();
        });
    }
    void release() { connection_.execute("UNLOCK TABLES"); }

private:
    db::Connection connection_;
};

// Everybody but one stands still: that one serves.
std::unique_ptr<Paused> only(pid_t worker, const std::string& pool = "api") {
    auto others = stack().workers(pool);
    std::erase(others, worker);
    return std::make_unique<Paused>(others);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(workers_life)

BOOST_AUTO_TEST_CASE(a_killed_worker_costs_at_most_the_request_it_served) {
    const auto token = stack().mint(stack().add_user());
    const auto count = stack().workers().size();
    Load load(token);
    constexpr int kills = 5;
    for (int i = 0; i < kills; ++i) {
        load.await_more(40);
        kill(stack().workers().front(), SIGKILL);
        BOOST_REQUIRE(stack().await_workers(count));
    }
    load.await_more(40);
    BOOST_TEST(failures(load.finish()) <= kills);
}

BOOST_AUTO_TEST_CASE(a_worker_told_to_stop_under_load_loses_nothing) {
    const auto token = stack().mint(stack().add_user());
    const auto before = stack().workers();
    Load load(token);
    for (const auto worker : before) {
        load.await_more(40);
        kill(worker, SIGTERM);
        BOOST_TEST(await([&] { return !alive(worker); }));
        BOOST_REQUIRE(stack().await_workers(before.size()));
    }
    load.await_more(40);
    BOOST_TEST(failures(load.finish()) == 0);
}

BOOST_AUTO_TEST_CASE(an_idle_worker_ends_when_told) {
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        for (const std::string pool : {"api", "auth"}) {
            const auto before = stack().workers(pool);
            kill(before.front(), signal);
            BOOST_TEST_CONTEXT(pool << ", signal " << signal) {
                BOOST_TEST(await([&] { return !alive(before.front()); }, std::chrono::seconds(10)));
                BOOST_TEST(stack().await_workers(before.size(), pool));
            }
        }
}

BOOST_AUTO_TEST_CASE(a_busy_worker_answers_before_it_ends) {
    const auto workers = stack().workers();
    const auto worker = workers.front();
    auto paused = only(worker);
    JobsLocked lock;
    Answer answer;
    Thread client([&] { answer = Client(stack().site()).get("/api/v1/jobs?city=Leeds"); });
    const bool waits = lock.awaited();
    kill(worker, SIGTERM);
    const bool pending = await([&] { return signal_pending(worker, SIGTERM) || !alive(worker); });
    const bool still_there = alive(worker);
    lock.release();
    client.join();
    BOOST_TEST(waits);
    BOOST_TEST(pending);
    BOOST_TEST(still_there);
    BOOST_TEST(answer.status == 200);
    BOOST_TEST(await([&] { return !alive(worker); }));
    paused.reset();
    BOOST_TEST(stack().await_workers(workers.size()));
}

// What `make down` and a restart of the pool do: the supervisor's TERM must reach workers as one that they obey.
BOOST_AUTO_TEST_CASE(a_stopped_pool_answers_what_it_serves) {
    const auto workers = stack().workers();
    JobsLocked lock;
    Answer answer;
    Thread client([&] { answer = Client(stack().site()).get("/api/v1/jobs?city=Leeds"); });
    const bool waits = lock.awaited();
    stack().sv("term", "api");
    // The idle ones end first; the busy one keeps its signal until it has answered.
    await([&] { return std::count_if(workers.begin(), workers.end(), alive) <= 1; }, std::chrono::seconds(10));
    const auto busy = std::count_if(workers.begin(), workers.end(), alive);
    lock.release();
    client.join();
    BOOST_TEST(waits);
    BOOST_TEST(busy == 1);
    BOOST_TEST(answer.status == 200);
    BOOST_TEST(await([&] { return std::none_of(workers.begin(), workers.end(), alive); }));
    BOOST_TEST(stack().await_workers(workers.size()));
}

BOOST_AUTO_TEST_CASE(idle_connections_do_not_starve_others) {
    std::vector<Client> idle;
    for (int i = 0; i < 64; ++i) {
        idle.emplace_back(stack().site());
        BOOST_TEST(idle.back().send({.target = "/healthz", .http2 = i % 2 == 0}).status == 200);
    }
    Client other(stack().site());
    for (int i = 0; i < 20; ++i)
        BOOST_TEST(other.send({.target = "/healthz", .timeout = std::chrono::seconds(10)}).status == 200);
    for (auto& client : idle) BOOST_TEST(client.send({.target = "/healthz", .timeout = std::chrono::seconds(10)}).status == 200);
}

BOOST_AUTO_TEST_SUITE_END()
