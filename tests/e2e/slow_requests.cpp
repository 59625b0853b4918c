// What the log says of slow requests, and of workers that begin and end.
#include <csignal>
#include <regex>

#include "db/connection.h"
#include "e2e/checks.h"
#include "support/fault_injection.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

// The first line with `text`; waits for it.
std::string line_with(const Stack& one, const std::string& log, const std::string& text) {
    std::string line;
    await([&] {
        const auto all = one.log(log);
        const auto at = all.find(text);
        if (at == std::string::npos || all.find('\n', at) == std::string::npos) return false;
        const auto begin = all.rfind('\n', at) + 1;
        line = all.substr(begin, all.find('\n', at) - begin);
        return true;
    });
    return line;
}

bool fits(const std::string& line, const std::string& expression) {
    return std::regex_match(line, std::regex(expression));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(slow_requests)

// With a threshold of 1 ms, at level warning.
BOOST_AUTO_TEST_CASE(a_slow_request_names_the_statement_that_took_longest) {
    auto& target = fault_injection_stack();
    Client client(target.site());
    client.get("/api/v1/jobs");
    db::Connection other(target.config().database, std::chrono::seconds(60));
    other.execute("LOCK TABLES jobs WRITE");
    Answer answer;
    Thread asking([&] { answer = client.get("/api/v1/jobs/none-of-this-name"); });
    // A second, so that no other statement of the request takes longer.
    const bool waits = await([&] {
        return other.query("SELECT COUNT(*) FROM information_schema.processlist WHERE state LIKE 'Waiting for%' AND time >= 1")
                   .at(0)
                   .integer(0) > 0;
    });
    other.execute("UNLOCK TABLES");
    asking.join();
    BOOST_TEST(waits);
    BOOST_TEST(answer.status == 404);
    const auto line = line_with(target, "api", "id=" + answer.header("x-request-id").value_or("-") + " ");
    BOOST_TEST(
        fits(line,
             "level=warning event=request id=[0-9a-f]{32} method=GET route=/api/v1/jobs/\\{idOrSlug\\} status=404 ms=[0-9.]+ "
             "db_ms=[0-9.]+ user=- bytes=21 worker=[0-9]+ slow=resource::select slow_ms=[0-9.]+ why=-"),
        line);
}

BOOST_AUTO_TEST_CASE(other_requests_are_not_written_at_this_level) {
    auto& target = fault_injection_stack();
    for (int i = 0; i < 20; ++i) BOOST_TEST(Client(target.site()).get("/healthz").status == 200);
    for (const auto* pool : {"api", "auth", "uploads"}) BOOST_TEST(target.lines_with(pool, "level=info") == 0);
}

BOOST_AUTO_TEST_CASE(workers_tell_why_they_begin_and_end) {
    for (const auto& [signal, name] : std::vector<std::pair<int, std::string>>{{SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}}) {
        const auto before = stack().workers();
        const auto told = before.front();
        const auto worker = std::to_string(told);
        BOOST_TEST(fits(
            line_with(stack(), "api", "event=start worker=" + worker + " "),
            "level=info event=start worker=[0-9]+ pool=api version=[0-9.]+ config=" + stack().state() + "/tradepost\\.toml"));
        kill(told, signal);
        BOOST_TEST(fits(line_with(stack(), "api", "event=stop worker=" + worker + " "),
                        "level=info event=stop worker=[0-9]+ served=[0-9]+ why=\"told to by " + name + "\""));
        // It still exists for a moment after its last line, longer under the sanitizers.
        BOOST_REQUIRE(await([&] { return kill(told, 0) != 0; }));
        BOOST_REQUIRE(stack().await_workers(before.size()));
    }
}

BOOST_AUTO_TEST_CASE(a_worker_that_cannot_start_says_why) {
    Changed settings("tradepost.toml");
    settings.append("\n[colours]\n");
    const auto done =
        run_command({program_folder() + "/tradepost-worker", "--config", fault_injection_stack().state() + "/tradepost.toml"});
    BOOST_TEST(done.code == 1);
    BOOST_TEST(fits(done.err,
                    "level=error event=start worker=[0-9]+ why=\".*/tradepost\\.toml:[0-9]+: colours is not a section; see "
                    "tradepost\\.toml\\.example\"\n"),
               done.err);
}

BOOST_AUTO_TEST_SUITE_END()
