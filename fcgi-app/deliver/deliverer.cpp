#include "deliver/deliverer.h"

#include "core/crypto.h"
#include "core/log.h"
#include "outbox/stored.h"

namespace tradepost::deliver {
namespace {

using namespace std::chrono_literals;

// A target that does not answer takes one of them for some seconds.
constexpr std::size_t senders = 12;
// Of one organisation, so that its targets leave senders to others.
constexpr std::size_t most_of_one = senders / 3;
// Then the target queues again behind others.
constexpr int messages_in_turn = 20;
constexpr std::chrono::seconds longest_turn{10};  // but for the message that is being sent then
// Messages are looked for so often.
constexpr auto pause = 200ms;
constexpr auto renewed_every = 5s;
constexpr auto pause_after_failure = 1s;
constexpr std::chrono::seconds lease_lifetime{30};

}  // namespace

Deliverer::Deliverer(const core::Config& config, const std::atomic<bool>& stopped, FindKind find)
    : config_(config),
      stopped_(stopped),
      find_(find),
      holder_(core::Uuid::from_bytes(core::random_bytes(16))),
      connection_(config.database),
      queue_(connection_, holder_) {}

Deliverer::~Deliverer() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    work_.notify_all();
    for (auto& thread : threads_) thread.join();
}

void Deliverer::run() {
    for (std::size_t i = 0; i < senders; ++i) threads_.emplace_back([this] { send_all(); });
    std::string failure;
    for (;;) {
        auto wait = std::chrono::milliseconds(pause);
        try {
            keep_leases();
            if (!stopped_) look();
            failure.clear();
        } catch (const std::exception& error) {
            // Once for as long as it lasts.
            if (failure != error.what()) core::log::error("deliver", {{"why", error.what()}});
            failure = error.what();
            wait = pause_after_failure;
        }
        std::unique_lock lock(mutex_);
        // Leases are kept until the last attempt has ended, or another host would send the same messages. What nobody has begun is given back
        // by the senders.
        if (stopped_ && held_.empty()) break;
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
}

void Deliverer::look() {
    while (outbox::number(connection_) == outbox::numbered_at_once && !stopped_) keep_leases();
    const auto before = held();
    if (before.size() >= senders) return;
    auto taken = queue_.take(senders - before.size(), before, most_of_one);
    const std::lock_guard lock(mutex_);
    for (auto& target : taken) {
        waiting_.push_back(held_.insert(held_.end(), std::move(target)));
        work_.notify_one();
    }
}

std::vector<outbox::Target> Deliverer::held() {
    const std::lock_guard lock(mutex_);
    return {held_.begin(), held_.end()};
}

void Deliverer::send_all() {
    db::Connection connection(config_.database);
    outbox::Queue queue(connection, holder_);
    Sending sending{config_, connection, stopped_};
    std::unique_lock lock(mutex_);
    for (;;) {
        work_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        const auto target = waiting_.front();
        waiting_.pop_front();
        lock.unlock();
        try {
            send_to(sending, queue, target->name);
        } catch (const std::exception& error) {
            // Its lease ends, and another attempt follows.
            core::log::warning("deliver", {{"target", target->name}, {"why", error.what()}});
        }
        lock.lock();
        held_.erase(target);
        done_.notify_one();
    }
}

void Deliverer::send_to(Sending& sending, outbox::Queue& queue, const std::string& target) {
    const auto end = std::chrono::steady_clock::now() + longest_turn;
    for (int sent = 0; sent < messages_in_turn && !stopped_; ++sent) {
        // A slow receiver goes behind the others.
        if (std::chrono::steady_clock::now() > end) break;
        const auto delivery = queue.next(target);
        if (!delivery) break;
        const auto* const kind = find_(delivery->kind);
        const auto outcome = attempt(sending, kind, *delivery);
        const auto given_up = [&] {
            if (kind && kind->given_up) kind->given_up(sending.connection, *delivery);
        };
        const auto name = outcome.kind == outbox::Outcome::Kind::delivered ? "delivered"
                          : outcome.kind == outbox::Outcome::Kind::retry   ? "not_delivered"
                                                                           : "undeliverable";
        core::log::info(
            name, {{"id", delivery->id.to_string()}, {"kind", delivery->kind}, {"target", target}, {"why", outcome.result}});
        if (!record([&] { return queue.finish(*delivery, outcome, kind && kind->keep, given_up); })) return;
        if (outcome.kind == outbox::Outcome::Kind::retry && delivery->age < outbox::tried_for) return;
    }
    queue.release(target);
}

outbox::Outcome Deliverer::attempt(Sending& sending, const Kind* kind, const outbox::Delivery& delivery) {
    if (!kind) return outbox::Outcome::retry("this release does not know the kind: a newer one delivers it");
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

}  // namespace tradepost::deliver
