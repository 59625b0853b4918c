#include "fcgi/sender.h"

#include <condition_variable>
#include <csignal>
#include <mutex>
#include <system_error>
#include <thread>

namespace tradepost::fcgi {
namespace {

constexpr int most_senders = 64;

struct Senders {
    std::mutex mutex;
    std::condition_variable ended;
    int count = 0;

    bool begin() {
        const std::lock_guard lock(mutex);
        if (count == most_senders) return false;
        ++count;
        return true;
    }
    void end() {
        const std::lock_guard lock(mutex);
        --count;
        ended.notify_all();
    }
};

Senders& senders() {
    static Senders only;
    return only;
}

// A thread inherits the signals that are blocked: SIGALRM, the deadline of the worker's request, must not interrupt its write.
class BlockedSignals {
public:
    BlockedSignals() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;

private:
    sigset_t before_{};
};

}  // namespace

void send_in_background(std::function<void()> send) {
    if (!senders().begin()) return send();
    try {
        const BlockedSignals blocked;
        std::thread([send] {
            send();
            senders().end();
        }).detach();
    } catch (const std::system_error&) {
        senders().end();
        send();
    }
}

void await_senders() {
    std::unique_lock lock(senders().mutex);
    senders().ended.wait(lock, [] { return senders().count == 0; });
}

}  // namespace tradepost::fcgi
