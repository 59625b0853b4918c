// Delivers what is in the outbox: one thread looks for work, others send.
#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
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
    void look();
    void keep_leases();
    std::vector<outbox::Target> held();
    void send_all();
    void send_to(Sending& sending, outbox::Queue& queue, const std::string& target);
    outbox::Outcome attempt(Sending& sending, const Kind* kind, const outbox::Delivery& delivery);
    bool record(const std::function<bool()>& finish);

    const core::Config& config_;
    const std::atomic<bool>& stopped_;
    const FindKind find_;
    const core::Uuid holder_;
    db::Connection connection_;
    outbox::Queue queue_;
    std::optional<db::Lease> lease_;
    std::chrono::steady_clock::time_point renewed_{};

    std::mutex mutex_;
    std::condition_variable work_, done_;
    // Those that wait and those that are sent. One that was given back may have been taken again before its first entry is erased.
    std::list<outbox::Target> held_;
    std::deque<std::list<outbox::Target>::iterator> waiting_;
    bool ended_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace tradepost::deliver
