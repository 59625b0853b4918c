#include "db/connection_limit.h"

#include <cppconn/connection.h>
#include <cppconn/statement.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "core/byte_locks.h"
#include "core/log.h"
#include "db/connection_limit_impl.h"
#include "db/failure.h"

namespace tradepost::db {
namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

// A session is not closed for another process before, so that connecting takes a small part of the time. It is longer while a thread of this
// process waits, which gets the session without connecting.
constexpr auto shortest_use = 50ms, shortest_use_of_threads = 1000ms;
// How often a process that waits tries again, and how often sessions that are kept are looked at.
constexpr auto tried_every = 2ms, looked_at_every = 50ms;

// The bytes of the file: the places, then one for each pool, which those of it that wait share.
constexpr off_t queues = 1 << 20;
constexpr int pools = 4, others = 3;

struct Range {
    int first, count;
};

// The places of all pools but the API's, one each; those of the API pool; the rest.
Range own_places(Pool pool, int most) {
    return pool == Pool::api ? Range{others, most / 2} : Range{int(pool) - 1, 1};
}
Range shared_places(int most) {
    return {others + most / 2, most - others - most / 2};
}

// How long a statement waits for a connection, and then throws Unavailable. Short in the API pool, whose workers serve everybody.
std::chrono::seconds wait_for_a_connection(const core::Config& config, Pool pool) {
    switch (pool) {
        case Pool::api:
            return config.database.connect_timeout;
        case Pool::auth:
            return 3s;
        case Pool::uploads:
            return 8s;
        case Pool::background:
            break;
    }
    return 10s;
}

// A thread that waits, for the time of this object.
struct Waiting {
    explicit Waiting(int& its) : count(its) { ++count; }
    ~Waiting() { --count; }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    int& count;
};

}  // namespace

ConnectionPlace::ConnectionPlace(const std::string& path, std::string& why) : file_(core::open_lock_file(path, why)) {}

ConnectionPlace::~ConnectionPlace() {
    // A forked process has the file as well.
    if (file_) core::unlock_bytes(file_.get(), 0, 0);
}

bool ConnectionPlace::lock(int byte) noexcept {
    if (core::lock_byte(file_.get(), byte) == core::ByteLock::taken) return false;
    byte_ = byte;
    since_ = steady::now();
    return true;
}

ConnectionLimit::Impl::Impl(const core::Config& config, Pool its)
    : path(config.connections_path()),
      most(int(config.database.max_connections)),
      idle(config.database.idle),
      pool(its),
      longest_wait(wait_for_a_connection(config, its)) {
    of_this_process = this;
}

ConnectionLimit::Impl::~Impl() {
    of_this_process = nullptr;
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    kept_one_.notify_all();
    if (closer_.joinable()) closer_.join();
}

bool ConnectionLimit::Impl::take(ConnectionPlace& place) const noexcept {
    for (const auto& range : {own_places(pool, most), shared_places(most)})
        for (int i = 0; i < range.count; ++i)
            if (place.lock(range.first + i)) return true;
    return false;
}

// Whether a process waits that could use the place.
bool ConnectionLimit::Impl::is_wanted(const ConnectionPlace& place) const noexcept {
    if (!place.file()) return false;
    if (place.byte() >= shared_places(most).first) return core::others_lock(place.file().get(), queues, pools);
    return core::others_lock(place.file().get(), queues + int(pool), 1);
}

Session ConnectionLimit::Impl::take_kept(const Key& key) {
    for (auto each = kept_.end(); each != kept_.begin();)
        if ((--each)->key == key) {
            auto session = std::move(each->session);
            kept_.erase(each);
            return session;
        }
    return {};
}

// The place of the session that was kept longest; none without one.
ConnectionPlace ConnectionLimit::Impl::close_kept() {
    if (kept_.empty()) return {};
    auto session = std::move(kept_.front().session);
    kept_.pop_front();
    session.close();
    return std::move(session.its_place);
}

Session ConnectionLimit::Impl::obtain(const Key& key) {
    std::unique_lock lock(mutex_);
    auto session = take_kept(key);
    if (session.session) return session;
    std::string why;
    ConnectionPlace place(path, why);
    if (!place.file()) {
        if (!std::exchange(warned_, true)) core::log::warning("connections_not_counted", {{"file", path}, {"reason", why}});
        return session;
    }
    const off_t queue = queues + int(pool);
    const auto until = steady::now() + longest_wait;
    // Waiting processes come first.
    bool found = !core::others_lock(place.file().get(), queue, 1) && take(place);
    if (!found && !kept_.empty()) {
        place = close_kept();
        found = true;
    }
    if (found) {
        session.its_place = std::move(place);
        return session;
    }
    core::share_byte(place.file().get(), queue);
    const Waiting counted(waiting_);
    while (!found) {
        if (steady::now() >= until)
            make_failure(1203,
                         "all " + std::to_string(most) + " connections of the instance are used: raise database.max_connections",
                         "connect")
                .raise();
        returned_.wait_for(lock, tried_every);
        session = take_kept(key);
        if (session.session) return session;
        found = take(place);
        if (found) core::unlock_bytes(place.file().get(), queue, 1);
        if (!found && !kept_.empty()) {
            place = close_kept();
            found = true;
        }
    }
    session.its_place = std::move(place);
    return session;
}

void ConnectionLimit::Impl::keep(const Key& key, Session session) noexcept {
    const auto now = steady::now();
    try {
        const std::lock_guard lock(mutex_);
        if (now - session.its_place.since() >= (waiting_ > 0 ? shortest_use_of_threads : shortest_use) &&
            is_wanted(session.its_place))
            return session.close();
        kept_.push_back({key, std::move(session), now});
        if (!closer_.joinable()) {
            // Signals are the other threads'.
            sigset_t all, before;
            sigfillset(&all);
            pthread_sigmask(SIG_SETMASK, &all, &before);
            try {
                closer_ = std::thread([this] { close_idle(); });
            } catch (const std::exception&) {
                kept_.clear();  // nobody would close them
            }
            pthread_sigmask(SIG_SETMASK, &before, nullptr);
        }
        if (sleeps_) kept_one_.notify_one();
    } catch (const std::exception&) {
        return session.close();
    }
    returned_.notify_one();
}

void ConnectionLimit::Impl::close_idle() {
    std::unique_lock lock(mutex_);
    while (!ended_) {
        sleeps_ = kept_.empty();
        if (sleeps_)
            kept_one_.wait(lock, [this] { return ended_ || !kept_.empty(); });
        else
            kept_one_.wait_for(lock, looked_at_every, [this] { return ended_; });
        sleeps_ = false;
        const auto now = steady::now();
        kept_.remove_if([&](Kept& each) {
            if (waiting_ > 0 || (now - each.since < idle && !is_wanted(each.session.its_place))) return false;
            each.session.close();
            return true;
        });
    }
}

ConnectionLimit::ConnectionLimit(const core::Config& config, Pool pool) : impl_(std::make_unique<Impl>(config, pool)) {}

ConnectionLimit::~ConnectionLimit() = default;

}  // namespace tradepost::db
