// Ends workers without requests, so that they hold no memory.
#pragma once
#include <chrono>
#include <string>

#include "core/file_descriptor.h"

namespace tradepost::fcgi {

// The environment of a worker may have two numbers of seconds; 0 and nothing mean that it stays.
// END_IDLE_AFTER: a worker that has served requests, and then none for this time, ends. Whoever started it starts a new one.
// END_IDLE_POOL_AFTER: when no worker of the pool had a request for this time, one sends SIGTERM to the parent of all, which ends the pool. Set it
// only where the next connection to the socket starts the pool again.
class Idle {
public:
    // `file` is shared by the workers of the pool: those that are awake lock it.
    explicit Idle(const std::string& file);
    Idle(const std::string& file, std::chrono::seconds worker, std::chrono::seconds pool);

    void used();  // there was a request
    // Call it now and then while there is no request. Returns whether this worker ends; ends the pool.
    bool is_over();

private:
    void wake();

    const std::chrono::seconds worker_, pool_;
    core::FileDescriptor file_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    bool has_served_ = false, awake_ = false;
};

}  // namespace tradepost::fcgi
