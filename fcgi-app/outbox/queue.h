// The queue of messages as those see it who deliver them: any number of processes on any number of hosts (README.md).
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/connection.h"
#include "outbox/message.h"

namespace tradepost::outbox {

inline constexpr std::size_t numbered_at_once = 1000;
// A process that dies is replaced after this time. A sender may take longer, as the lease is renewed.
inline constexpr std::chrono::seconds lease{20};
inline constexpr std::chrono::days tried_for{3};

// How long to wait after an attempt, the first being 1: twice as long each time, from a second to an hour, and up to a fifth more or less at
// random, so that what failed together is not tried together.
std::chrono::milliseconds back_off(std::uint32_t attempt);

// How long to wait after an attempt, the first being 1, when the receiver asked for a pause (Retry-After): back_off(), or the pause if it is
// longer. Of a pause longest_pause counts at most, as receivers may be anybody's.
inline constexpr std::chrono::hours longest_pause{6};
std::chrono::milliseconds wait_after(std::uint32_t attempt, std::optional<std::chrono::seconds> pause);

// The lane of a kind: which senders its messages have. Up to 16 characters; empty for kinds without senders of their own. A target's messages
// are of one lane.
using LaneOf = std::function<std::string(std::string_view kind)>;
inline std::string no_lane(std::string_view) {
    return {};
}

// Gives the next positions to committed messages that are due, up to numbered_at_once. Returns how many; 0 also when somebody else does.
std::size_t number(db::Connection& connection, const LaneOf& lane_of = no_lane);

// Whether another message of the same target, kind and payload has a position, too, and is still to be delivered.
bool is_repeated(db::Connection& connection, const Delivery& delivery);

struct Target {
    std::string name;
    std::optional<core::Uuid> organisation_id;
};

// How many targets of one organisation a process may hold in a lane: one when its receivers were slow lately, so that it waits for itself.
struct Share {
    std::size_t most;
    std::set<core::Uuid> slow = {};
    std::size_t of(const core::Uuid& organisation) const { return slow.contains(organisation) ? 1 : most; }
};

// Borrows the connection. `holder` names the process: its leases are on targets, so what is of one target is sent by one process at a time.
class Queue {
public:
    Queue(db::Connection& connection, const core::Uuid& holder, LaneOf lane_of = no_lane)
        : connection_(connection), holder_(holder), lane_of_(std::move(lane_of)) {}

    // Takes leases on up to `most` targets of the lane with a message that is due. `busy` are those that the process holds there already: an
    // organisation gets no more than its share in all.
    std::vector<Target> take(std::size_t most, std::span<const Target> busy, const Share& share, std::string_view lane = {});

    // Gives these leases their whole time from now on.
    void renew(std::span<const Target> targets);

    // The first message that waits for the target; a bundle becomes messages before. Empty also when the lease was lost.
    std::optional<Delivery> next(const std::string& target);

    // Records what came of it, and runs `given_up` in the same transaction when the message is dead: after `dead`, and after a retry that
    // would come later than tried_for. A delivered message is removed unless `keep`. False when the lease was lost meanwhile, and nothing is
    // recorded; after a retry the lease is given back, with the next attempt's time.
    bool finish(const Delivery& delivery, const Outcome& outcome, bool keep, const std::function<void()>& given_up = {});

    // Gives the lease back. What still waits is due at once.
    void release(const std::string& target);

private:
    bool hold(const std::string& target, const std::string& lane);

    db::Connection& connection_;
    core::Uuid holder_;
    LaneOf lane_of_;
};

// Sending a message: the writers' part of the outbox (README.md).

// Inside the transaction that causes them: they are delivered if it commits, and else never existed. Waits for nobody. Returns the ids in the
// order of the messages. Throws db::Error, or std::logic_error for a kind or target that is too long.
std::vector<core::Uuid> send(db::Connection& connection, core::Time now, std::span<const Message> messages);

inline core::Uuid send(db::Connection& connection, core::Time now, const Message& message) {
    return send(connection, now, std::span(&message, 1)).front();
}

}  // namespace tradepost::outbox
