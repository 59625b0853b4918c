// The deadline of requests: ends a worker that is stuck, so that its supervisor starts another.
#pragma once
#include <chrono>
#include <string_view>

namespace tradepost::fcgi {

// One object per process: it owns SIGALRM. A request may take `limit` and up to a second more, because the alarm is set once a
// second and not for each request. After that the process ends with status 1 and a log line with the request's id.
class Deadline {
public:
    explicit Deadline(std::chrono::seconds limit);
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;

    void begin();                              // a connection was accepted
    void set_request_id(std::string_view id);  // for the log; ignored when it is not valid
    void allow(std::chrono::seconds time);     // the request may take that long from now on, where it is not `limit`
    void end();                                // the request is over, with the work after its response
    void disarm();                             // no request has come for a second

private:
    std::chrono::seconds limit_;
    long armed_at_ = 0;  // seconds of the monotonic clock; 0: not armed
};

}  // namespace tradepost::fcgi
