// The inside of a ConnectionLimit: private to this folder.
#pragma once
#include <compare>
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>

#include "db/connection_limit.h"
#include "db/session.h"

namespace tradepost::db {

struct ConnectionLimit::Impl {
    // Sessions with equal keys can take each other's place.
    struct Key {
        std::chrono::seconds read_timeout;
        Use use;
        bool limits_lock_waits;
        bool operator==(const Key&) const = default;
    };

    Impl(const core::Config& config, Pool its);
    ~Impl();

    static inline Impl* of_this_process = nullptr;  // null: its connections do not count

    // A session that was kept, or the right to open one: a Session with a place alone. Throws Unavailable when there is none for `longest_wait`.
    Session obtain(const Key& key);
    // Keeps the session for the next obtain(), or closes it for another process.
    void keep(const Key& key, Session session) noexcept;

    const std::string path;
    const int most;
    const std::chrono::seconds idle;
    const Pool pool;
    const std::chrono::seconds longest_wait;

private:
    struct Kept {
        Key key;
        Session session;
        std::chrono::steady_clock::time_point since;
    };

    bool is_wanted(const ConnectionPlace& place) const noexcept;
    bool take(ConnectionPlace& place) const noexcept;
    Session take_kept(const Key& key);
    ConnectionPlace close_kept();
    void close_idle();

    std::mutex mutex_;
    std::condition_variable returned_, kept_one_;
    std::list<Kept> kept_;  // the newest last
    int waiting_ = 0;       // threads of this process
    bool ended_ = false, sleeps_ = false, warned_ = false;
    std::thread closer_;
};

}  // namespace tradepost::db
