// A pool of workers on one socket: every worker can be stopped, whatever the others and the service manager do with the socket.
#define BOOST_TEST_DYN_LINK
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "core/byte_locks.h"
#include "core/log.h"
#include "fcgi/worker.h"
#include "unit/limits_support.h"

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

struct Pool {
    explicit Pool(int size, std::chrono::seconds worker = {}, std::chrono::seconds pool = {}, const std::string& file = {})
        : ends_after(worker), pool_ends_after(pool), awake(file) {
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        BOOST_REQUIRE(bind(listening, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
        BOOST_REQUIRE(listen(listening, 64) == 0);
        // As in a process that was just started; other tests leave libfcgi's handler.
        (void)std::signal(SIGUSR1, SIG_DFL);
        for (int i = 0; i < size; ++i) {
            const pid_t child = fork();
            if (child == 0) {
                dup2(listening, 0);
                core::log::set_level(core::log::Level::error);
                _exit(fcgi::run([](const http::Request&) { return http::Response{}; },
                                [this](bool is_end) { std::ofstream(path + (is_end ? ".ended" : ".settled")); },
                                [](const http::Request&) { return std::chrono::seconds(30); }, "test", idle()));
            }
            workers.push_back(child);
        }
    }
    fcgi::Idle idle() const { return {awake, ends_after, pool_ends_after}; }
    ~Pool() {
        for (const pid_t worker : workers) {
            kill(worker, SIGKILL);
            waitpid(worker, nullptr, 0);
        }
        close(listening);
    }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    // A client that connects and goes away. Several workers may try to accept the connection, and one of them succeeds.
    void visit() const {
        const int client = socket(AF_UNIX, SOCK_STREAM, 0);
        BOOST_REQUIRE(connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
        close(client);
    }
    // What systemd does for a command of ExecReload.
    void make_blocking() const { fcntl(listening, F_SETFL, fcntl(listening, F_GETFL) & ~O_NONBLOCK); }

    // The workers that have not ended ten seconds after the signal.
    std::size_t left_after(int signal) {
        for (const pid_t worker : workers) kill(worker, signal);
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!workers.empty() && std::chrono::steady_clock::now() < end) {
            std::erase_if(workers, [](pid_t worker) { return waitpid(worker, nullptr, WNOHANG) == worker; });
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return workers.size();
    }

    std::chrono::seconds ends_after, pool_ends_after;
    std::string awake;
    limits::test::TemporaryFolder folder;
    std::string path = folder / "api.sock";
    sockaddr_un address{};
    int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    std::vector<pid_t> workers;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(fcgi_worker)

BOOST_AUTO_TEST_CASE(a_worker_stops_although_the_socket_was_made_blocking) {
    Pool pool(8);
    for (int i = 0; i < 3000; ++i) {
        pool.make_blocking();
        pool.visit();
    }
    BOOST_TEST(pool.left_after(SIGUSR1) == 0U);
}

// The signal comes at another moment of the start each time. Until the worker blocks it, the kernel ends the process.
BOOST_AUTO_TEST_CASE(a_worker_that_is_told_to_stop_while_it_starts_stops) {
    for (int i = 0; i < 600; ++i) {
        Pool pool(1);
        const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(2 * i);
        while (std::chrono::steady_clock::now() < until) {
        }
        BOOST_REQUIRE_EQUAL(pool.left_after(SIGUSR1), 0U);
    }
}

BOOST_AUTO_TEST_CASE(what_is_owed_is_settled_without_requests_and_at_the_end) {
    Pool pool(1);
    const auto settled = pool.path + ".settled";
    const auto end = std::chrono::steady_clock::now() + 30s;
    while (!std::filesystem::exists(settled) && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
    BOOST_TEST(std::filesystem::exists(settled));
    BOOST_TEST(!std::filesystem::exists(pool.path + ".ended"));
    BOOST_TEST(pool.left_after(SIGUSR1) == 0U);
    BOOST_TEST(std::filesystem::exists(pool.path + ".ended"));
}

BOOST_AUTO_TEST_CASE(a_worker_that_has_served_ends_when_it_is_idle) {
    Pool unused(1, 1s), used(1, 1s);
    used.visit();
    int status = -1;
    BOOST_TEST(waitpid(used.workers[0], &status, 0) == used.workers[0]);
    BOOST_TEST(status == 0);
    used.workers.clear();
    BOOST_TEST(waitpid(unused.workers[0], &status, WNOHANG) == 0);
}

// The workers of a process that waits for SIGTERM, as multiwatch does.
BOOST_AUTO_TEST_CASE(a_pool_ends_when_all_of_its_workers_are_idle) {
    limits::test::TemporaryFolder folder;
    const auto file = folder / "awake";
    std::string why;
    // A worker that is busy.
    auto busy = core::open_lock_file(file, why);
    BOOST_REQUIRE(core::share_byte(busy.get(), 0) == core::ByteLock::ours);
    int down[2], up[2];
    BOOST_REQUIRE(pipe(down) == 0);
    BOOST_REQUIRE(pipe(up) == 0);
    const pid_t supervisor = limits::test::in_child([&] {
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGTERM);
        sigprocmask(SIG_BLOCK, &set, nullptr);
        busy.reset();  // that of the parent stays
        Pool pool(2, {}, 1s, file);
        char byte;
        if (write(up[1], "x", 1) != 1 || read(down[0], &byte, 1) != 1) return 1;
        sigset_t pending;
        sigpending(&pending);
        if (sigismember(&pending, SIGTERM)) return 2;
        pool.visit();
        int signal = 0;
        sigwait(&set, &signal);
        return pool.left_after(SIGUSR1) == 0 ? 0 : 3;
    });
    char byte;
    BOOST_REQUIRE(read(up[0], &byte, 1) == 1);
    // Both workers have gone to sleep.
    while (core::others_lock(busy.get(), 0, 1)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    busy.reset();
    BOOST_REQUIRE(write(down[1], "x", 1) == 1);
    BOOST_TEST(limits::test::exit_code(supervisor) == 0);
    for (const int end : {down[0], down[1], up[0], up[1]}) close(end);
}

BOOST_AUTO_TEST_SUITE_END()
