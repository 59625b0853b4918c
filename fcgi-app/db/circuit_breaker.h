// A circuit breaker for each database server: while the server does not answer, statements are refused instead of waiting for it.
#pragma once
#include <atomic>
#include <chrono>

#include "core/config.h"

namespace tradepost::db {

// Closed: statements are sent. Open: something timed out, and a probe must succeed before the next statement is sent.
// Safe for several threads.
class CircuitBreaker {
public:
    // How long nothing is sent after a probe that timed out: at most so late is the server's return noticed. It is longer than
    // a probe takes, so that most of the requests that wait in a queue are refused without one.
    static constexpr std::chrono::seconds pause{2};

    // The one that all connections of this process to this server share. It lives as long as the process.
    static CircuitBreaker& of(const core::Config::DatabaseServer& server);

    bool is_closed() const;
    bool may_probe() const;                                    // when it is open
    void open(std::chrono::steady_clock::duration wait = {});  // no probe before `wait` is over
    void close();

private:
    std::atomic<std::chrono::steady_clock::rep> probe_at_{0};  // 0: closed
};

}  // namespace tradepost::db
