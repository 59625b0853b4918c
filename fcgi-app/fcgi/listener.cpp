#include "fcgi/listener.h"

#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <initializer_list>

namespace tradepost::fcgi {
namespace {

void never_called(int) {}

}  // namespace

Listener::Listener(int socket) {
    sigset_t stop;
    sigemptyset(&stop);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) sigaddset(&stop, signal);
    // Before the handlers are there: one that came between would be lost.
    sigprocmask(SIG_BLOCK, &stop, nullptr);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) {
        // An ignored signal, as a shell sets it for background processes, would never be pending. And libfcgi handles SIGUSR1, the
        // stop signal of the FastCGI specification, itself: it would then refuse to accept without an error.
        struct sigaction action {};
        action.sa_handler = never_called;
        sigemptyset(&action.sa_mask);
        sigaction(signal, &action, nullptr);
    }
    signals_ = core::FileDescriptor(signalfd(-1, &stop, SFD_CLOEXEC | SFD_NONBLOCK));

    epoll_ = core::FileDescriptor(epoll_create1(EPOLL_CLOEXEC));
    epoll_event on_signal{EPOLLIN, {.fd = signals_.get()}};
    epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, signals_.get(), &on_signal);
    // Exclusive: one request wakes one worker of the pool, not all of them.
    epoll_event on_request{EPOLLIN | EPOLLEXCLUSIVE, {.fd = socket}};
    epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, socket, &on_request);
}

Listener::Event Listener::wait(std::chrono::milliseconds longest) {
    // Room for both events: a signal is noticed however many requests queue. The time-out is for requests whose worker was woken and
    // killed before it accepted: the others look for them.
    epoll_event events[2];
    const int count = epoll_wait(epoll_.get(), events, 2, int(longest.count()));
    for (int i = 0; i < count; ++i) {
        signalfd_siginfo signal;
        if (events[i].data.fd != signals_.get() || read(signals_.get(), &signal, sizeof signal) != sizeof signal) continue;
        stop_signal_ = signal.ssi_signo;
        return Event::stop;
    }
    return count > 0 ? Event::request : Event::none;
}

const char* Listener::stop_signal() const {
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
