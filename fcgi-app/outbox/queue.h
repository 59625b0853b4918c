// The queue of messages as those see it who deliver them: any number of processes on any number of hosts (README.md).
#pragma once
#include <functional>
#include <span>
#include <string>
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

// Gives the next positions to committed messages that are due, up to numbered_at_once. Returns how many; 0 also when somebody else does.
std::size_t number(db::Connection& connection);

struct Target {
    std::string name;
    std::optional<core::Uuid> organisation_id;
};

// Borrows the connection. `holder` names the process: its leases are on targets, so what is of one target is sent by one process at a time.
class Queue {
public:
    Queue(db::Connection& connection, const core::Uuid& holder) : connection_(connection), holder_(holder) {}

    // Takes leases on up to `most` targets with a message that is due. `busy` are those that the process holds already: an organisation gets
    // no more than `most_of_one` in all.
    std::vector<Target> take(std::size_t most, std::span<const Target> busy, std::size_t most_of_one);

    // Gives these leases their whole time from now on.
    void renew(std::span<const Target> targets);

    // The first message that waits for the target.
    std::optional<Delivery> next(const std::string& target);

    // Records what came of it, and runs `given_up` in the same transaction when the message is dead: after `dead`, and after a retry that
    // would come later than tried_for. A delivered message is removed unless `keep`. False when the lease was lost meanwhile, and nothing is
    // recorded; after a retry the lease is given back, with the next attempt's time.
    bool finish(const Delivery& delivery, const Outcome& outcome, bool keep, const std::function<void()>& given_up = {});

    // Gives the lease back. What still waits is due at once.
    void release(const std::string& target);

private:
    db::Connection& connection_;
    core::Uuid holder_;
};

}  // namespace tradepost::outbox
