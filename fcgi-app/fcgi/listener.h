// A worker's wait for requests and for stop signals.
#pragma once
#include <chrono>
#include <csignal>

#include "core/file_descriptor.h"

namespace tradepost::fcgi {

// Stop signals (SIGTERM, SIGINT, SIGHUP, SIGUSR1) are blocked and only read here, because libfcgi takes an interrupted read for the
// end of the body.
class Listener {
public:
    explicit Listener(int socket);

    enum class Event { request, none, stop };
    // Waits for `longest` at most. `request`: one may be accepted, unless another worker is faster.
    Event wait(std::chrono::milliseconds longest);

    const char* stop_signal() const;  // the name of the signal, after Event::stop

private:
    core::FileDescriptor epoll_, signals_;
    unsigned stop_signal_ = 0;
};

}  // namespace tradepost::fcgi
