#include "fcgi/gate.h"

#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <initializer_list>

namespace tradepost::fcgi {
namespace {

void never_called(int) {}

}  // namespace

Gate::Gate(int listening) {
    sigset_t stop;
    sigemptyset(&stop);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) {
        sigaddset(&stop, signal);
        // One that is ignored, as a shell leaves it to what runs in the background, would never be pending; and libfcgi takes
        // SIGUSR1, the FastCGI specification's way to stop, for itself: it would then refuse to accept without saying so.
        struct sigaction action {};
        action.sa_handler = never_called;
        sigemptyset(&action.sa_mask);
        sigaction(signal, &action, nullptr);
    }
    sigprocmask(SIG_BLOCK, &stop, nullptr);
    signals_ = signalfd(-1, &stop, SFD_CLOEXEC | SFD_NONBLOCK);

    epoll_ = epoll_create1(EPOLL_CLOEXEC);
    epoll_event told{EPOLLIN, {.fd = signals_}};
    epoll_ctl(epoll_, EPOLL_CTL_ADD, signals_, &told);
    // Exclusive: one request wakes one worker of the pool, not all of them.
    epoll_event asked{EPOLLIN | EPOLLEXCLUSIVE, {.fd = listening}};
    epoll_ctl(epoll_, EPOLL_CTL_ADD, listening, &asked);
}

Gate::~Gate() {
    close(epoll_);
    close(signals_);
}

Gate::Event Gate::wait() {
    // Room for both: a signal is heard however many requests queue. The bound is for a worker that was woken and killed before it
    // could accept: what it left is looked for by the others.
    epoll_event events[2];
    const int count = epoll_wait(epoll_, events, 2, 1000);
    for (int i = 0; i < count; ++i) {
        signalfd_siginfo signal;
        if (events[i].data.fd != signals_ || read(signals_, &signal, sizeof signal) != sizeof signal) continue;
        stop_signal_ = signal.ssi_signo;
        return Event::stop;
    }
    return count > 0 ? Event::request : Event::nothing;
}

const char* Gate::stop_signal() const {
    switch (stop_signal_) {
        case SIGTERM:
            return "SIGTERM";
        case SIGINT:
            return "SIGINT";
        case SIGHUP:
            return "SIGHUP";
        default:
            return "SIGUSR1";
    }
}

}  // namespace tradepost::fcgi
