// Threads that send long responses, so that a slow client occupies no worker.
#pragma once
#include <functional>

namespace tradepost::fcgi {

// Runs `send` in a thread of its own, or here when many run already. It must not throw and not use what belongs to the worker.
void send_in_background(std::function<void()> send);

// Returns when all of them have ended.
void await_senders();

}  // namespace tradepost::fcgi
