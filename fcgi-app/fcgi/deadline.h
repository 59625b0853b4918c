// Ends a worker whose request takes too long: it is stuck somewhere, and whoever supervises it starts another.
#pragma once
#include <chrono>
#include <string_view>

namespace tradepost::fcgi {

// One object a process: it owns SIGALRM. A request may take `limit` and up to a second more, because the alarm is set once a
// second and not for each request. What is past it ends the process with status 1 and a log line with the request's id.
class Deadline {
public:
    explicit Deadline(std::chrono::seconds limit);
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;

    void begin();                    // a connection was accepted
    void know(std::string_view id);  // the request's own, for the log; what is no sound id is left out
    void end();                      // the request is over, with all that follows it
    void idle();                     // nothing has come for a while

private:
    std::chrono::seconds limit_;
    long armed_at_ = 0;  // seconds of the monotonic clock; 0: not
};

}  // namespace tradepost::fcgi
