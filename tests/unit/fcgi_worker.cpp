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
#include <thread>
#include <vector>

#include "core/log.h"
#include "fcgi/worker.h"
#include "unit/limits_support.h"

using namespace tradepost;

namespace {

struct Pool {
    explicit Pool(int size) {
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
                                [](const http::Request&) { return std::chrono::seconds(30); }, "test"));
            }
            workers.push_back(child);
        }
    }
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

BOOST_AUTO_TEST_SUITE_END()
