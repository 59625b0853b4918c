// Delivers what is in the outbox: one thread looks for work, others send, those of a lane for themselves. Another one merges backlogs.
#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/config.h"
#include "db/lease.h"
#include "deliver/kinds.h"
#include "outbox/queue.h"

namespace tradepost::deliver {

// Borrows what it is given.
class Deliverer {
public:
    using FindKind = const Kind* (*)(std::string_view);
    Deliverer(const core::Config& config, const std::atomic<bool>& stopped, FindKind find = find_kind);
    ~Deliverer();

    // Returns when `stopped` is set and the attempts that were under way have ended. Survives a database that is away.
    void run();

private:
    // The targets that a lane's senders hold.
    struct Work {
        explicit Work(const Lane& its) : lane(its) {}
        const Lane& lane;
        std::condition_variable arrived;
        // Those that wait and those that are sent. One that was given back may have been taken again before its first entry is erased.
        std::list<outbox::Target> held;
        std::deque<std::list<outbox::Target>::iterator> waiting;
        std::map<core::Uuid, std::chrono::steady_clock::time_point> slow_until;  // organisations whose receivers were slow
    };

    bool look();
    void take(Work& work);
    void keep_leases();
    std::vector<outbox::Target> held();
    std::string lane_of(std::string_view kind) const;
    void send_all(Work& work);
    void send_to(Work& work, Sending& sending, outbox::Queue& queue, const std::string& target);
    outbox::Outcome attempt(Work& work, Sending& sending, const Kind* kind, const outbox::Delivery& delivery);
    bool record(const std::function<bool()>& finish);
    void merge_backlogs();

    const core::Config& config_;
    const std::atomic<bool>& stopped_;
    const FindKind find_;
    const core::Uuid holder_;
    db::Connection connection_;
    outbox::Queue queue_;
    std::optional<db::Lease> lease_;
    std::chrono::steady_clock::time_point renewed_{};

    std::mutex mutex_;
    std::condition_variable done_, ending_;
    std::list<Work> work_;
    bool ended_ = false, leads_ = false;  // leads: has the lease of one deliverer
    std::vector<std::thread> threads_;
};

}  // namespace tradepost::deliver
