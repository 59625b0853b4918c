#include "deliver/deliverer.h"

#include <malloc.h>

#include <memory>

#include "core/crypto.h"
#include "core/log.h"
#include "core/outgoing.h"
#include "outbox/backlogs.h"
#include "outbox/bundle.h"
#include "outbox/stored.h"

namespace tradepost::deliver {
namespace {

using namespace std::chrono_literals;

// Then the target queues again behind others.
constexpr int messages_in_turn = 20;
constexpr auto longest_turn = 1s;  // but for the message that is being sent then
// An attempt that takes longer is slow, and so is its organisation for this time.
constexpr auto slow_attempt = 2s;
constexpr auto slow_for = 10min;
// When nothing was sent for so long, memory that was freed goes back to the system: threads keep what pictures and letters took.
constexpr auto idle = 10s;
// Messages are looked for so often.
constexpr auto pause = 200ms;
constexpr auto renewed_every = 5s;
constexpr auto pause_after_failure = 1s;
constexpr std::chrono::seconds lease_lifetime{30};
constexpr auto merged_every = 5s;

}  // namespace

Deliverer::Deliverer(const core::Config& config, const std::atomic<bool>& stopped, FindKind find)
    : config_(config),
      stopped_(stopped),
      find_(find),
      holder_(core::Uuid::from_bytes(core::random_bytes(16))),
      connection_(config.database),
      queue_(connection_, holder_, [this](std::string_view kind) { return lane_of(kind); }) {
    for (const auto& lane : lanes()) work_.emplace_back(lane);
}

Deliverer::~Deliverer() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    ending_.notify_all();
    for (auto& work : work_) work.arrived.notify_all();
    for (auto& thread : threads_) thread.join();
}

void Deliverer::run() {
    for (auto& work : work_)
        for (std::size_t i = 0; i < work.lane.senders; ++i) threads_.emplace_back([this, &work] { send_all(work); });
    threads_.emplace_back([this] { merge_backlogs(); });
    std::string failure;
    std::optional<std::chrono::steady_clock::time_point> trim_at = std::chrono::steady_clock::now() + idle;
    for (;;) {
        auto wait = std::chrono::milliseconds(pause);
        try {
            keep_leases();
            if (!stopped_ && look()) wait = 0ms;
            failure.clear();
        } catch (const std::exception& error) {
            // Once for as long as it lasts.
            if (failure != error.what()) core::log::error("deliver", {{"why", error.what()}});
            failure = error.what();
            wait = pause_after_failure;
        }
        // Leases are kept until the last attempt has ended, or another host would send the same messages. What nobody has begun is given back
        // by the senders.
        const bool sends = !held().empty();
        if (stopped_ && !sends) break;
        const auto now = std::chrono::steady_clock::now();
        if (sends) trim_at = now + idle;
        if (trim_at && now >= *trim_at) {
            (void)malloc_trim(0);
            trim_at.reset();
        }
        std::unique_lock lock(mutex_);
        done_.wait_for(lock, wait);
    }
    lease_.reset();
}

void Deliverer::keep_leases() {
    const auto now = std::chrono::steady_clock::now();
    if (now - renewed_ < renewed_every) return;
    queue_.renew(held());
    if (lease_ && !lease_->renew()) lease_.reset();
    if (!lease_)
        if (auto taken = db::Lease::take(connection_, outbox::deliverer, lease_lifetime)) lease_.emplace(std::move(*taken));
    renewed_ = now;
    const std::lock_guard lock(mutex_);
    leads_ = lease_.has_value();
}

// Returns whether more messages may be without a position. Targets are taken in between, so that many messages of one hold up no others.
bool Deliverer::look() {
    const bool more =
        outbox::number(connection_, [this](std::string_view kind) { return lane_of(kind); }) == outbox::numbered_at_once;
    for (auto& work : work_) take(work);
    return more;
}

void Deliverer::take(Work& work) {
    std::vector<outbox::Target> before;
    outbox::Share share{.most = work.lane.most_of_one};
    {
        const std::lock_guard lock(mutex_);
        before.assign(work.held.begin(), work.held.end());
        std::erase_if(work.slow_until, [](const auto& each) { return each.second < std::chrono::steady_clock::now(); });
        for (const auto& [organisation, until] : work.slow_until) share.slow.insert(organisation);
    }
    if (before.size() >= work.lane.senders) return;
    auto taken = queue_.take(work.lane.senders - before.size(), before, share, work.lane.name);
    const std::lock_guard lock(mutex_);
    for (auto& target : taken) {
        work.waiting.push_back(work.held.insert(work.held.end(), std::move(target)));
        work.arrived.notify_one();
    }
}

std::vector<outbox::Target> Deliverer::held() {
    const std::lock_guard lock(mutex_);
    std::vector<outbox::Target> all;
    for (const auto& work : work_) all.insert(all.end(), work.held.begin(), work.held.end());
    return all;
}

std::string Deliverer::lane_of(std::string_view kind) const {
    if (kind.ends_with(outbox::bundle_suffix)) kind.remove_suffix(outbox::bundle_suffix.size());
    const auto* const found = find_(kind);
    return found ? std::string(found->lane) : std::string();
}

void Deliverer::send_all(Work& work) {
    db::Connection connection(config_.database);
    outbox::Queue queue(connection, holder_, [this](std::string_view kind) { return lane_of(kind); });
    Sending sending{config_, connection, stopped_};
    std::unique_lock lock(mutex_);
    for (;;) {
        const auto any = [&] { return ended_ || !work.waiting.empty(); };
        work.arrived.wait(lock, any);
        if (work.waiting.empty()) return;
        const auto target = work.waiting.front();
        work.waiting.pop_front();
        lock.unlock();
        try {
            send_to(work, sending, queue, target->name);
        } catch (const std::exception& error) {
            // Its lease ends, and another attempt follows.
            core::log::warning("deliver", {{"target", target->name}, {"why", error.what()}});
        }
        lock.lock();
        work.held.erase(target);
        done_.notify_one();
    }
}

void Deliverer::send_to(Work& work, Sending& sending, outbox::Queue& queue, const std::string& target) {
    const auto end = std::chrono::steady_clock::now() + longest_turn;
    for (int sent = 0; sent < messages_in_turn && !stopped_; ++sent) {
        // A slow receiver goes behind the others.
        if (std::chrono::steady_clock::now() > end) break;
        const auto delivery = queue.next(target);
        if (!delivery) break;
        const auto* const kind = find_(delivery->kind);
        const auto outcome = attempt(work, sending, kind, *delivery);
        const auto given_up = [&] {
            if (kind && kind->given_up) kind->given_up(sending.connection, *delivery);
        };
        const auto name = outcome.kind == outbox::Outcome::Kind::delivered ? "delivered"
                          : outcome.kind == outbox::Outcome::Kind::retry   ? "not_delivered"
                                                                           : "undeliverable";
        core::log::info(name, {{"id", delivery->id.to_string()},
                               {"kind", delivery->kind},
                               {"target", target},
                               {"status", outcome.status ? std::to_string(*outcome.status) : "none"},
                               {"why", outcome.result}});
        if (!record([&] { return queue.finish(*delivery, outcome, kind && kind->keep, given_up); })) return;
        if (outcome.kind == outbox::Outcome::Kind::retry && delivery->age < outbox::tried_for) return;
    }
    queue.release(target);
}

outbox::Outcome Deliverer::attempt(Work& work, Sending& sending, const Kind* kind, const outbox::Delivery& delivery) {
    if (!kind) return outbox::Outcome::retry("this release does not know the kind: a newer one delivers it");
    if (config_.copy && !kind->stays_inside) return outbox::Outcome::dead(core::nothing_is_sent);
    const std::shared_ptr<void> noted(nullptr, [&, begin = std::chrono::steady_clock::now()](void*) {
        const auto end = std::chrono::steady_clock::now();
        if (!work.lane.slow_wait || !delivery.organisation_id || end - begin < slow_attempt) return;
        const std::lock_guard lock(mutex_);
        work.slow_until[*delivery.organisation_id] = end + slow_for;
    });
    try {
        return kind->send(sending, delivery);
    } catch (const db::Unavailable&) {
        throw;
    } catch (const db::Error& error) {
        // Its text is the operator's; the result is for the target's owner.
        core::log::warning("deliver", {{"id", delivery.id.to_string()}, {"why", error.what()}});
        return outbox::Outcome::retry("it could not be sent now");
    } catch (const std::exception& error) {
        return outbox::Outcome::retry(error.what());
    }
}

// What was sent is recorded as long as the lease lasts, so that a database that restarts has nothing sent twice.
bool Deliverer::record(const std::function<bool()>& finish) {
    const auto end = std::chrono::steady_clock::now() + outbox::lease - 5s;
    for (;;) try {
            return finish();
        } catch (const db::Unavailable&) {
            if (std::chrono::steady_clock::now() > end) throw;
            std::this_thread::sleep_for(pause);
        }
}

// By one host, since it rewrites what others would rewrite at the same time.
void Deliverer::merge_backlogs() {
    db::Connection connection(config_.database);
    outbox::Backlogs backlogs(connection, config_.limits.organisation_outbox);
    std::unique_lock lock(mutex_);
    while (!ending_.wait_for(lock, merged_every, [this] { return ended_; })) {
        if (!leads_) continue;
        lock.unlock();
        try {
            if (const auto merged = backlogs.merge()) core::log::info("merged", {{"messages", std::to_string(merged)}});
        } catch (const std::exception& error) {
            core::log::warning("deliver", {{"why", error.what()}});
        }
        lock.lock();
    }
}

}  // namespace tradepost::deliver
