// Where a worker waits for requests and for the signals that stop it.
#pragma once
#include <csignal>

namespace tradepost::fcgi {

// Stop signals (SIGTERM, SIGINT, SIGHUP, SIGUSR1) are blocked as long as it lives and read here: libfcgi takes an interrupted
// read for the end of the body.
class Gate {
public:
    explicit Gate(int listening);
    ~Gate();
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    enum class Event { request, nothing, stop };
    // Waits a second at most. `request`: one may be accepted, unless another worker is faster.
    Event wait();

    const char* stop_signal() const;  // the name of what came with Event::stop

private:
    int epoll_, signals_;
    unsigned stop_signal_ = 0;
};

}  // namespace tradepost::fcgi
