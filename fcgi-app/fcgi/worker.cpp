#include "fcgi/worker.h"

#include <fcgiapp.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "core/log.h"
#include "fcgi/message.h"
#include "http/request_id.h"

namespace tradepost::fcgi {
namespace {

volatile std::sig_atomic_t stop_signal = 0;

void on_stop(int signal) { stop_signal = signal; }

// What on_deadline() writes, made while it is safe to make it: the other of the two than the one in use.
std::string deadline_lines[2];
std::atomic<const std::string*> deadline_line{&deadline_lines[0]};

// Only what is safe in a signal handler: the process is stuck somewhere in the middle of something.
void on_deadline(int) {
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, deadline_line.load()->data(), deadline_line.load()->size());
    _exit(1);
}

// An id has no character that could break the line.
void prepare_deadline_line(const http::Request* request) {
    auto& line = deadline_lines[deadline_line == &deadline_lines[0] ? 1 : 0];
    line.assign("level=error event=deadline worker=").append(std::to_string(getpid()));
    if (request) line.append(" id=").append(http::request_id(request->header("x-request-id")));
    line.append(" why=\"the request took longer than http.deadline_s; this worker ends\"\n");
    deadline_line = &line;
}

const char* name_of(int signal) {
    switch (signal) {
        case SIGTERM: return "SIGTERM";
        case SIGINT: return "SIGINT";
        case SIGHUP: return "SIGHUP";
        default: return "SIGUSR1";
    }
}

void set_handler(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

// libfcgi takes SIGUSR1, the FastCGI specification's way to stop, for itself: it would then refuse to accept without saying so.
constexpr int stop_signals[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1};

// Stop signals are blocked but while waiting for a request: libfcgi takes an interrupted read for the end of the body.
class Gate {
public:
    Gate() {
        sigset_t stop;
        sigemptyset(&stop);
        for (const int signal : stop_signals) {
            sigaddset(&stop, signal);
            set_handler(signal, on_stop);
        }
        sigprocmask(SIG_BLOCK, &stop, &while_waiting_);
        for (const int signal : stop_signals) sigdelset(&while_waiting_, signal);

        // Exclusive: one request wakes one worker of the pool, not all of them.
        epoll_ = epoll_create1(EPOLL_CLOEXEC);
        epoll_event listening{EPOLLIN | EPOLLEXCLUSIVE, {}};
        epoll_ctl(epoll_, EPOLL_CTL_ADD, 0, &listening);
    }
    ~Gate() { close(epoll_); }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    // False when a stop signal came.
    bool wait_for_request() const {
        // The bound is for a worker that was woken and killed before it could accept: what it left is looked for by the others.
        epoll_event event;
        epoll_pwait(epoll_, &event, 1, 1000, &while_waiting_);
        // While requests queue, the wait is over before any signal is delivered.
        sigset_t pending;
        sigpending(&pending);
        for (const int signal : stop_signals)
            if (sigismember(&pending, signal)) stop_signal = signal;
        return stop_signal == 0;
    }

private:
    sigset_t while_waiting_;
    int epoll_;
};

}  // namespace

std::string pool_name() {
    sockaddr_un address{};
    socklen_t length = sizeof address;
    if (getsockname(0, reinterpret_cast<sockaddr*>(&address), &length) != 0 || address.sun_family != AF_UNIX) return "default";
    const std::string path(address.sun_path, strnlen(address.sun_path, sizeof address.sun_path));
    const auto stem = std::filesystem::path(path).stem().string();
    return stem.empty() ? "default" : stem;
}

int run(const Handler& handler, std::chrono::seconds deadline, const std::string& config) {
    if (FCGX_Init() != 0 || fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK) != 0 || FCGX_IsCGI()) {
        core::log::error("start", {{"worker", getpid()}, {"config", config}, {"why", "file descriptor 0 is no listening socket; start workers through systemd or make run"}});
        return 1;
    }
    // After FCGX_Init, which sets dispositions of its own.
    std::signal(SIGPIPE, SIG_IGN);
    set_handler(SIGALRM, on_deadline);
    const Gate gate;

    FCGX_Request exchange;
    FCGX_InitRequest(&exchange, 0, FCGI_FAIL_ACCEPT_ON_INTR);
    core::log::info("start", {{"worker", getpid()}, {"pool", pool_name()}, {"config", config}});
    std::uint64_t served = 0;
    while (gate.wait_for_request()) {
        if (FCGX_Accept_r(&exchange) != 0) continue;  // another worker was faster, or the peer has gone
        prepare_deadline_line(nullptr);
        alarm(unsigned(deadline.count()));
        if (const auto request = read_request(exchange)) {
            prepare_deadline_line(&*request);
            const auto response = handler(*request);
            write_response(exchange, response);
            FCGX_Finish_r(&exchange);
            if (response.after) response.after();
            ++served;
        } else {
            core::log::info("aborted", {{"worker", getpid()}, {"why", "the client or nginx gave up before the body was whole"}});
            FCGX_Finish_r(&exchange);
        }
        alarm(0);
    }
    core::log::info("stop", {{"worker", getpid()}, {"served", served}, {"why", std::string("told to by ") + name_of(stop_signal)}});
    return 0;
}

}  // namespace tradepost::fcgi
