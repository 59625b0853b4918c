#include "fcgi/worker.h"

#include <fcgiapp.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "core/log.h"
#include "fcgi/message.h"

namespace tradepost::fcgi {
namespace {

volatile std::sig_atomic_t stop_signal = 0;

void on_stop(int signal) { stop_signal = signal; }

// Only what is safe in a signal handler: the process is stuck somewhere in the middle of something.
void on_deadline(int) {
    static constexpr char line[] = "level=error event=deadline why=\"the request took longer than http.deadline_s; this worker ends\"\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line, sizeof line - 1);
    _exit(1);
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

int run(const Handler& handler, std::chrono::seconds deadline) {
    if (FCGX_Init() != 0 || fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK) != 0 || FCGX_IsCGI()) {
        core::log::error("start", {{"why", "file descriptor 0 is no listening socket; start workers through systemd or make run"}});
        return 1;
    }
    // After FCGX_Init, which sets dispositions of its own.
    std::signal(SIGPIPE, SIG_IGN);
    set_handler(SIGALRM, on_deadline);
    const Gate gate;

    FCGX_Request exchange;
    FCGX_InitRequest(&exchange, 0, FCGI_FAIL_ACCEPT_ON_INTR);
    core::log::info("start", {{"worker", getpid()}});
    while (gate.wait_for_request()) {
        if (FCGX_Accept_r(&exchange) != 0) continue;  // another worker was faster, or the peer has gone
        alarm(unsigned(deadline.count()));
        if (const auto request = read_request(exchange)) {
            const auto response = handler(*request);
            write_response(exchange, response);
            FCGX_Finish_r(&exchange);
            if (response.after) response.after();
        } else {
            core::log::info("aborted", {{"worker", getpid()}});
            FCGX_Finish_r(&exchange);
        }
        alarm(0);
    }
    core::log::info("stop", {{"worker", getpid()}, {"signal", int(stop_signal)}});
    return 0;
}

}  // namespace tradepost::fcgi
