// What is in the outbox: for operators, metrics and the logs of deliveries.
#pragma once
#include <limits>
#include <string>
#include <vector>

#include "core/time.h"
#include "db/connection.h"
#include "json/mentions.h"
#include "outbox/message.h"

namespace tradepost::outbox {

// What may be asked for; empty: everything.
struct Filter {
    std::string state = {}, kind = {}, target = {};
    std::optional<core::Uuid> id = {};
};

struct Stored {
    core::Uuid id;
    std::string kind, target, state;
    std::optional<core::Uuid> organisation_id;
    core::Time created_at, not_before;
    std::uint32_t attempts;
    std::optional<core::Time> attempted_at;
    std::optional<std::int64_t> status;
    std::optional<std::string> result;
    std::string payload;
};

inline constexpr std::string_view states[] = {"waiting", "delivered", "dead"};

// The newest first.
std::vector<Stored> list(db::Connection& connection, const Filter& filter, int limit);

// Queues them anew, as if they had just been sent: dead and delivered ones again, waiting ones at once and behind the others of their target.
// Returns how many. Inside a transaction or not.
std::uint64_t retry(db::Connection& connection, const Filter& filter);

// Makes the target's next attempt due now, unless somebody sends to it.
void hurry(db::Connection& connection, const std::string& target);

// Removes them, the batch that exceeds `most` included. One that is being sent meanwhile may still arrive.
std::uint64_t drop(db::Connection& connection, const Filter& filter,
                   std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

// Removes those whose payload, target or result mentions the person; delivered ones, too. Returns how many.
std::uint64_t drop_about(db::Connection& connection, const json::Mentions& person);

// Removes all messages of the organisation, in small transactions. Returns how many.
std::uint64_t drop_of_organisation(db::Connection& connection, const core::Uuid& organisation_id);

struct Backlog {
    std::int64_t waiting, dead;     // counted to most_counted
    std::chrono::milliseconds lag;  // how long the oldest that is due has waited for a deliverer; a target that fails is none
};
inline constexpr std::int64_t most_counted = 100'000;

Backlog backlog(db::Connection& connection);

// The lease (db/lease.h) that one of the deliverers has at any time.
inline constexpr const char* deliverer = "deliver";

inline constexpr std::chrono::days delivered_are_kept{7}, dead_are_kept{90};

// Removes what was delivered or died so long ago. Returns how many.
std::uint64_t prune(db::Connection& connection);

}  // namespace tradepost::outbox
