// The database away, silent or locked (API rules, "Database failures"): 503 soon, no hang, recovery without a restart.
#include <csignal>

#include "db/connection.h"
#include "e2e/checks.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

// Above the 2 and 10 s of the rules by what a busy machine takes; far below what nginx would wait.
constexpr std::chrono::seconds soon{10}, late{30};

void check_unavailable(const Answer& answer, const std::string& error) {
    check_refused(answer, 503, error);
    BOOST_TEST(answer.header("retry-after").has_value());
}

Answer ask(const std::string& target, std::chrono::seconds limit, const Headers& headers = {}) {
    return Client(stack().site()).send({.target = target, .headers = headers, .timeout = limit});
}

// Each worker that found the database silent asks it again within two seconds, and a first connection may take a busy machine longer than
// a worker waits for it.
void check_all_connected() {
    BOOST_TEST(await([] {
        for (int i = 0; i < 20; ++i)
            if (ask("/readyz", late).status != 200) return false;
        return true;
    }));
}

struct DatabaseStopped {
    DatabaseStopped() { stack().sv("stop", stack().database()); }
    ~DatabaseStopped() { stack().sv("start", stack().database()); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(database_away)

BOOST_AUTO_TEST_CASE(stopped_and_back) {
    const auto user = stack().add_user();
    const auto token = stack().mint(user);
    const auto api = stack().workers(), auth = stack().workers("auth");
    // Every worker has a connection to lose.
    for (const auto worker : api) {
        auto others = api;
        std::erase(others, worker);
        const Paused paused(others);
        BOOST_REQUIRE(await([] { return ask("/readyz", late).status == 200; }));
    }
    {
        const DatabaseStopped stopped;
        for (int round = 0; round < 2; ++round) {  // with a connection that is lost, and with none
            for (const auto* target : {"/api/v1/jobs", "/api/v1/jobs/none", "/api/v1/events", "/api/v1/posts?tag=x", "/readyz"})
                BOOST_TEST_CONTEXT(target) check_unavailable(ask(target, soon), "Service unavailable");
            check_unavailable(ask("/api/v1/me", soon, bearer(token)), "Service unavailable");
            check_unavailable(Client(stack().site())
                                  .send({.method = "POST",
                                         .target = "/api/v1/auth",
                                         .headers = {{"Content-Type", "application/json"}},
                                         .body = sign_in_body(user),
                                         .timeout = soon}),
                              "Service unavailable");
            for (const auto* kind : {"jobs", "events", "posts"}) BOOST_TEST_CONTEXT(kind)
            check_unavailable(ask(std::string("/api/v1/") + kind + "?q=engineer", soon), "Search unavailable");
        }
        // What needs no database works, and what is wrong is told before it is asked.
        BOOST_TEST(ask("/healthz", soon).status == 200);
        check_refused(ask("/api/v1/jobs?page=0", soon), 400, "Invalid query");
        check_refused(ask("/api/v1/me", soon), 401, "Unauthorized");
        BOOST_TEST(ask("/api/v1/nothing", soon).status == 404);
    }
    BOOST_REQUIRE(await([] { return stack().answers(); }));
    for (const auto worker : api) {
        auto others = api;
        std::erase(others, worker);
        const Paused paused(others);
        BOOST_TEST(ask("/api/v1/jobs?q=engineer", late).status == 200);
        BOOST_TEST(ask("/api/v1/me", late, bearer(token)).status == 200);
    }
    Client client(stack().site());
    for (int i = 0; i < 4; ++i) sign_in(client, user);
    BOOST_TEST(stack().workers() == api, boost::test_tools::per_element());
    BOOST_TEST(stack().workers("auth") == auth, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(silent) {
    const auto workers = stack().workers();
    check_all_connected();
    {
        const Paused paused({stack().service(stack().database())});
        const char* const targets[] = {"/api/v1/jobs", "/api/v1/jobs?q=engineer", "/readyz"};
        const auto answers = in_parallel<Answer>(3, [&](std::size_t i) { return ask(targets[i], late); });
        check_unavailable(answers[0], "Service unavailable");
        check_unavailable(answers[1], "Search unavailable");
        check_unavailable(answers[2], "Service unavailable");
        BOOST_TEST(ask("/healthz", late).status == 200);
    }
    check_all_connected();
    BOOST_TEST(stack().workers() == workers, boost::test_tools::per_element());
}

// Each worker has 25 of them to answer, one after the other: they must not wait for the database one by one.
BOOST_AUTO_TEST_CASE(silent_for_a_queue_of_requests) {
    const auto workers = stack().workers();
    check_all_connected();
    {
        const Paused paused({stack().service(stack().database())});
        const auto answers = in_parallel<Answer>(
            100, [](std::size_t i) { return ask("/api/v1/jobs?city=York&page=" + std::to_string(i + 1), late); });
        for (const auto& answer : answers) check_unavailable(answer, "Service unavailable");
    }
    check_all_connected();
    BOOST_TEST(stack().workers() == workers, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(locked) {
    const auto workers = stack().workers();
    {
        db::Connection other(stack().config().database, std::chrono::seconds(60));
        other.execute("LOCK TABLES jobs WRITE");
        const char* const targets[] = {"/api/v1/jobs?city=York", "/api/v1/jobs/none", "/api/v1/jobs?q=lathe+-york"};
        const auto answers = in_parallel<Answer>(3, [&](std::size_t i) { return ask(targets[i], late); });
        check_unavailable(answers[0], "Service unavailable");
        check_unavailable(answers[1], "Service unavailable");
        check_unavailable(answers[2], "Search unavailable");
    }
    BOOST_TEST(ask("/api/v1/jobs?city=York", late).status == 200);
    BOOST_TEST(stack().workers() == workers, boost::test_tools::per_element());
}

// The last resort, on a stack whose deadline is shorter than the database's own limits: the worker ends, alone.
BOOST_AUTO_TEST_CASE(past_the_deadline_a_worker_ends_and_another_comes) {
    auto& own = own_stack();
    const auto before = own.workers();
    const auto address = fresh_address();
    for (const auto worker : before) {  // a new connection would give up earlier
        auto others = before;
        std::erase(others, worker);
        const Paused paused(others);
        BOOST_REQUIRE(await([&] { return Client(own.site(), address).get("/readyz").status == 200; }));
    }
    Answer answer;
    {
        const Paused paused({own.service(own.database())});
        answer = Client(own.site(), address).send({.target = "/api/v1/jobs", .timeout = late});
        check_refused(answer, 502, "Bad gateway");
        BOOST_TEST(Client(own.site(), address).send({.target = "/healthz", .timeout = late}).status == 200);
    }
    BOOST_REQUIRE(own.await_workers(before.size()));
    const auto after = own.workers();
    BOOST_TEST(std::count_if(before.begin(), before.end(), [&](pid_t worker) {
                   return std::find(after.begin(), after.end(), worker) != after.end();
               }) == std::ptrdiff_t(before.size() - 1));
    BOOST_TEST(own.lines_with("api", " id=" + answer.header("x-request-id").value_or("-") +
                                         " why=\"the request took longer than http.deadline_s") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
