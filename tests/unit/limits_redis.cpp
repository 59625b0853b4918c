// Against a real Redis server.
#define BOOST_TEST_DYN_LINK
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <memory>
#include <thread>
#include <vector>

#include "limits/redis.h"
#include "unit/limits_redis_server.h"
#include "unit/limits_support.h"

using namespace tradepost;
using namespace tradepost::limits;
using namespace tradepost::limits::test;

namespace {

// So that a slow machine is not taken for a server that is away.
constexpr RedisTimeouts patient{std::chrono::seconds(20), std::chrono::seconds(20)};

struct Fixture {
    TemporaryFolder folder;
    core::ManualClock clock{start};
    RedisServer server{folder.path.string()};
    RedisLimiter limiter{server.socket, "test", clock, patient};

    Verdict count(const std::string& key, core::Rate rate) { return limiter.count("class", key, rate); }
};

// Takes connections into its queue and never answers.
struct SilentServer {
    explicit SilentServer(const std::string& path) : fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        BOOST_REQUIRE(bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
        BOOST_REQUIRE(listen(fd, 16) == 0);
    }
    ~SilentServer() { close(fd); }
    int connections() {
        int found = 0;
        for (int connection; (connection = accept(fd, nullptr, nullptr)) >= 0; ++found) close(connection);
        return found;
    }
    int fd;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(limits_redis, Fixture)

BOOST_AUTO_TEST_CASE(counts_up_to_the_limit_and_then_refuses) {
    for (const std::uint32_t remaining : {2u, 1u, 0u}) {
        const Verdict verdict = count("key", per_minute(3));
        BOOST_TEST(verdict.allowed);
        BOOST_TEST(verdict.limit == 3u);
        BOOST_TEST(verdict.remaining == remaining);
        BOOST_TEST((verdict.reset >= 1u && verdict.reset <= 60u));
    }
    for (int i = 0; i < 3; ++i) {
        const Verdict verdict = count("key", per_minute(3));
        BOOST_TEST(!verdict.allowed);
        BOOST_TEST(verdict.remaining == 0u);
    }
    BOOST_TEST(server.command("GET tradepost:test:class:key") == "3");  // the refused ones did not count
    BOOST_TEST(!count("none", per_minute(0)).allowed);
}

BOOST_AUTO_TEST_CASE(what_is_given_back_can_be_taken_again) {
    const auto give_back = [&] { return limiter.count("class", "key", per_minute(3), Use::give_back).remaining; };
    BOOST_TEST(give_back() == 3u);
    for (int i = 0; i < 3; ++i) (void)count("key", per_minute(3));
    BOOST_TEST(give_back() == 1u);
    BOOST_TEST(server.command("GET tradepost:test:class:key") == "2");
    BOOST_TEST(count("key", per_minute(3)).allowed);
    BOOST_TEST(!count("key", per_minute(3)).allowed);
}

BOOST_AUTO_TEST_CASE(two_limiters_share_one_limit_exactly) {
    RedisLimiter other(server.socket, "test", clock, patient);
    int allowed = 0;
    for (int i = 0; i < 400; ++i) {
        allowed += count("key", per_minute(500)).allowed;
        allowed += other.count("class", "key", per_minute(500)).allowed;
    }
    BOOST_TEST(allowed == 500);
}

BOOST_AUTO_TEST_CASE(many_processes_share_one_limit_exactly) {
    std::vector<pid_t> children;
    for (int i = 0; i < 5; ++i) {
        children.push_back(in_child([&] {
            RedisLimiter own(server.socket, "test", clock, patient);
            int allowed = 0;
            for (int request = 0; request < 200; ++request) allowed += own.count("class", "key", per_minute(97)).allowed;
            return allowed;
        }));
    }
    int allowed = 0;
    for (const pid_t child : children) allowed += exit_code(child);
    BOOST_TEST(allowed == 97);
}

BOOST_AUTO_TEST_CASE(instances_classes_and_keys_count_apart) {
    RedisLimiter staging(server.socket, "staging", clock, patient);
    BOOST_TEST(count("key", per_minute(1)).allowed);
    BOOST_TEST(!count("key", per_minute(1)).allowed);
    BOOST_TEST(count("other", per_minute(1)).allowed);
    BOOST_TEST(limiter.count("public", "key", per_minute(1)).allowed);
    BOOST_TEST(staging.count("class", "key", per_minute(1)).allowed);
}

BOOST_AUTO_TEST_CASE(a_window_ends_by_the_server_s_clock) {
    const core::Rate rate{2, std::chrono::seconds(1)};
    BOOST_TEST(count("key", rate).reset == 1u);
    count("key", rate);
    while (server.command("EXISTS tradepost:test:class:key") == "1") std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const Verdict verdict = count("key", rate);
    BOOST_TEST(verdict.allowed);
    BOOST_TEST(verdict.remaining == 1u);
}

BOOST_AUTO_TEST_CASE(refused_requests_do_not_prolong_and_reset_is_rounded_up) {
    count("key", per_minute(1));
    BOOST_TEST(server.command("PEXPIRE tradepost:test:class:key 30500") == "1");
    const Verdict refused = count("key", per_minute(1));
    BOOST_TEST(!refused.allowed);
    const int left_ms = std::stoi(server.command("PTTL tradepost:test:class:key"));
    BOOST_TEST(left_ms <= 30'500);
    BOOST_TEST(static_cast<int>(refused.reset) * 1000 >= left_ms);
    BOOST_TEST(refused.reset <= 31u);
}

BOOST_AUTO_TEST_CASE(a_counter_that_would_never_end_begins_anew) {
    count("key", per_minute(1));
    BOOST_TEST(server.command("PERSIST tradepost:test:class:key") == "1");
    BOOST_TEST(count("key", per_minute(1)).allowed);
    BOOST_TEST(!count("key", per_minute(1)).allowed);
    BOOST_TEST(server.command("PEXPIRE tradepost:test:class:key 90000") == "1");  // longer than the window
    BOOST_TEST(count("key", per_minute(1)).allowed);
}

BOOST_AUTO_TEST_CASE(keys_may_hold_any_byte_and_are_of_bounded_length) {
    const std::string binary("a\0 \r\n\xff", 6), lengthy(1'000'000, 'x');
    for (const std::string& key : {binary, std::string("a"), lengthy, lengthy + "y", std::string()}) {
        BOOST_TEST(count(key, per_minute(1)).allowed);
        BOOST_TEST(!count(key, per_minute(1)).allowed);
    }
    server.command("FLUSHALL");
    count(lengthy, per_minute(1));
    BOOST_TEST(server.command("KEYS *").size() < 120);
}

BOOST_AUTO_TEST_CASE(a_server_that_forgets_the_script_or_the_connection_misses_no_request) {
    BOOST_TEST(count("key", per_minute(4)).remaining == 3u);
    BOOST_TEST(server.command("SCRIPT FLUSH") == "OK");
    BOOST_TEST(count("key", per_minute(4)).remaining == 2u);
    BOOST_TEST(server.command("CLIENT KILL TYPE normal SKIPME yes") == "1");
    BOOST_TEST(count("key", per_minute(4)).remaining == 1u);
    BOOST_TEST(server.command("CONFIG RESETSTAT") == "OK");
    BOOST_TEST(count("key", per_minute(4)).remaining == 0u);
    // One round trip: the script is not sent again.
    const std::string calls = server.command("INFO commandstats");
    BOOST_TEST(calls.find("cmdstat_evalsha:calls=1,") != std::string::npos);
    BOOST_TEST(calls.find("cmdstat_eval:") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_server_that_is_away_lets_requests_through_and_is_found_again) {
    const CapturedLog log;
    count("key", per_minute(2));
    count("key", per_minute(2));
    server.stop();
    for (int i = 0; i < 100; ++i) {
        const Verdict verdict = count("key", per_minute(2));
        BOOST_TEST(verdict.allowed);
        BOOST_TEST(verdict.remaining == 2u);
        BOOST_TEST(verdict.reset == 60u);
        clock.advance(std::chrono::milliseconds(599));
    }
    BOOST_TEST(log.lines_with("level=warning") == 1);
    clock.advance(std::chrono::seconds(2));
    count("key", per_minute(2));
    BOOST_TEST(log.lines_with("level=warning") == 2);

    server.start();
    BOOST_TEST(count("key", per_minute(2)).remaining == 2u);  // not tried again yet
    clock.advance(std::chrono::seconds(1));
    BOOST_TEST(count("key", per_minute(2)).remaining == 1u);
    BOOST_TEST(count("key", per_minute(2)).remaining == 0u);
    BOOST_TEST(!count("key", per_minute(2)).allowed);
    BOOST_TEST(log.lines_with("level=info") == 1);
}

BOOST_AUTO_TEST_CASE(a_restart_between_two_requests_pauses_nothing) {
    count("key", per_minute(2));
    server.stop();
    server.start();
    BOOST_TEST(count("key", per_minute(2)).remaining == 1u);
}

BOOST_AUTO_TEST_CASE(a_server_that_hangs_is_asked_once_a_second) {
    SilentServer silent(folder / "silent.sock");
    RedisLimiter waiting(folder / "silent.sock", "test", clock);
    const CapturedLog log;
    for (int i = 0; i < 200; ++i) BOOST_TEST(waiting.count("class", "key", per_minute(1)).allowed);
    BOOST_TEST(silent.connections() == 1);
    clock.advance(std::chrono::milliseconds(999));
    waiting.count("class", "key", per_minute(1));
    BOOST_TEST(silent.connections() == 0);
    clock.advance(std::chrono::milliseconds(1));
    waiting.count("class", "key", per_minute(1));
    BOOST_TEST(silent.connections() == 1);
    clock.set(start - std::chrono::hours(1));  // set back: the pause does not last until the old time
    waiting.count("class", "key", per_minute(1));
    BOOST_TEST(silent.connections() == 1);
    BOOST_TEST(log.lines_with("no answer in time") >= 1);
}

BOOST_AUTO_TEST_CASE(a_late_answer_is_not_taken_for_the_next_one) {
    RedisLimiter hasty(server.socket, "test", clock, {patient.connect, std::chrono::seconds(2)});
    BOOST_TEST(hasty.count("class", "spent", per_minute(1)).allowed);
    const CapturedLog log;
    kill(server.pid, SIGSTOP);
    BOOST_TEST(hasty.count("class", "spent", per_minute(1)).allowed);  // its answer, "refused", comes later
    kill(server.pid, SIGCONT);
    clock.advance(std::chrono::seconds(1));
    BOOST_TEST(hasty.count("class", "fresh", per_minute(1)).allowed);
    BOOST_TEST(!hasty.count("class", "fresh", per_minute(1)).allowed);
}

BOOST_AUTO_TEST_CASE(an_error_of_the_server_lets_requests_through) {
    const CapturedLog log;
    server.command("SET tradepost:test:class:key words PX 50000");
    BOOST_TEST(count("key", per_minute(1)).allowed);
    BOOST_TEST(log.lines_with("level=warning") == 1);
    clock.advance(std::chrono::seconds(1));
    BOOST_TEST(server.command("CONFIG SET requirepass secret") == "OK");
    BOOST_TEST(server.command("CLIENT KILL TYPE normal").find("NOAUTH") == 0);
    RedisLimiter stranger(server.socket, "test", clock, patient);
    BOOST_TEST(stranger.count("class", "other", per_minute(1)).remaining == 1u);
    BOOST_TEST(log.lines_with("NOAUTH") == 1);
}

BOOST_AUTO_TEST_CASE(addresses_are_read_strictly) {
    const CapturedLog log;
    for (const char* good : {"localhost", "127.0.0.1:1", "[::1]:1", "[::1]", "::1", "/socket"})
        BOOST_CHECK_NO_THROW(RedisLimiter(good, "test", clock));
    for (const char* bad : {"", ":6379", "host:", "host:0", "host:65536", "host:12x", "[]:1"})
        BOOST_CHECK_THROW(RedisLimiter(bad, "test", clock), std::runtime_error);
    RedisLimiter closed("127.0.0.1:1", "test", clock);
    BOOST_TEST(closed.count("class", "key", per_minute(1)).allowed);
    BOOST_TEST(log.lines_with("Connection refused") == 1);
}

BOOST_AUTO_TEST_CASE(the_configuration_names_the_store) {
    core::Config config;
    config.instance = "test";
    config.rate_limits.store = "redis";
    config.rate_limits.redis = {server.socket};
    config.rate_limits.redis_connect_timeout = config.rate_limits.redis_timeout = patience;
    BOOST_TEST(make_limiter(config, clock)->count("class", "key", per_minute(2)).remaining == 1u);
    BOOST_TEST(count("key", per_minute(2)).remaining == 0u);
    config.rate_limits.store = "shared-memory";
    config.rate_limits.file = folder / "counters";
    BOOST_TEST(make_limiter(config, clock)->count("class", "key", per_minute(2)).remaining == 1u);
    BOOST_TEST(std::filesystem::exists(folder / "counters"));
    config.rate_limits.store = "abacus";
    BOOST_CHECK_THROW(make_limiter(config, clock), std::runtime_error);
}

// Each request is counted at the first of two servers that can.
BOOST_AUTO_TEST_CASE(the_next_server_counts_while_one_is_away) {
    const CapturedLog log;
    const TemporaryFolder second_folder;
    RedisServer second(second_folder.path.string());
    core::Config config;
    config.instance = "test";
    config.rate_limits.store = "redis";
    config.rate_limits.redis = {server.socket, second.socket};
    config.rate_limits.redis_connect_timeout = config.rate_limits.redis_timeout = patience;
    const auto both = make_limiter(config, clock);
    const auto remaining = [&] { return both->count("class", "key", per_minute(9)).remaining; };
    BOOST_TEST(remaining() == 8u);
    BOOST_TEST(second.command("KEYS *").empty());

    server.stop();
    BOOST_TEST(remaining() == 8u);
    BOOST_TEST(remaining() == 7u);
    BOOST_TEST(log.lines_with("rate_limits_not_counted") == 1);

    server.start();
    clock.advance(std::chrono::seconds(1));
    BOOST_TEST(remaining() == 8u);

    // A replica takes no writes.
    server.command("REPLICAOF 127.0.0.1 1");
    BOOST_TEST(remaining() == 6u);

    second.stop();
    BOOST_TEST(remaining() == 9u);
    BOOST_TEST(log.lines_with("rate_limits_not_counted") == 2);  // one for each server
}

BOOST_AUTO_TEST_SUITE_END()
