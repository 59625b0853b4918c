#include "fcgi/deadline.h"

#include <signal.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <string>

#include "http/request_id.h"

namespace tradepost::fcgi {
namespace {

// Read by on_alarm().
volatile sig_atomic_t busy = 0;
std::string line_begin;
std::array<char, http::longest_request_id> current_id;
std::atomic<std::size_t> id_length{0};  // written behind the characters

// Only async-signal-safe calls: the process may be anywhere.
void on_alarm(int) {
    static constexpr char
        name[] = " id=",
        why[] = " why=\"the request took longer than http.deadline_s, or a feed than 5 minutes; this worker ends\"\n";
    if (!busy) return;
    const std::size_t known = id_length;
    const iovec line[] = {{line_begin.data(), line_begin.size()},
                          {const_cast<char*>(name), known ? sizeof name - 1 : 0},
                          {current_id.data(), known},
                          {const_cast<char*>(why), sizeof why - 1}};
    [[maybe_unused]] const ssize_t written = writev(STDERR_FILENO, line, std::size(line));
    _exit(1);
}

}  // namespace

Deadline::Deadline(std::chrono::seconds limit) : limit_(limit) {
    line_begin = "level=error event=deadline worker=" + std::to_string(getpid());
    struct sigaction action {};
    action.sa_handler = on_alarm;
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, nullptr);
}

void Deadline::begin() {
    id_length = 0;
    busy = 1;
    timespec now{};
    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    if (now.tv_sec == armed_at_) return;
    armed_at_ = now.tv_sec;
    alarm(unsigned(limit_.count()) + 1);
}

void Deadline::set_request_id(std::string_view request_id) {
    if (!http::is_request_id(request_id)) return;
    std::memcpy(current_id.data(), request_id.data(), request_id.size());
    id_length = request_id.size();
}

void Deadline::allow(std::chrono::seconds time) {
    if (time == limit_) return;
    alarm(unsigned(time.count()) + 1);
    armed_at_ = 1;  // so that the next request sets its own, even within this second
}

void Deadline::end() {
    busy = 0;
}

void Deadline::disarm() {
    if (armed_at_ == 0) return;
    armed_at_ = 0;
    alarm(0);
}

}  // namespace tradepost::fcgi
