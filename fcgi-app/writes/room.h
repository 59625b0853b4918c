// How much of each kind of thing an organisation has, and how much it may have: [limits] of the configuration.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/config.h"
#include "db/connection.h"
#include "writes/transaction.h"

namespace tradepost::writes {

enum class Things {
    members,
    stock_items,
    jobs,
    events,
    posts,
    enquiries,
    uploads,
    pending_uploads,
    upload_bytes,
    queued_messages,
    kept_answer_bytes,  // of the member who has most of them
    audit_events,
};

// Which things an organisation at its limit does without.
enum class Beyond {
    refused,  // more of them: 409
    merged,   // older messages about the same item: tradepost-deliver merges them
    removed,  // the oldest: `tradepostctl prune` removes them
};

struct Limit {
    Things things;
    std::string_view name;  // as in messages: "stock items"
    std::string_view code;  // as in JSON: "STOCK_ITEMS"
    std::string_view setting;
    Beyond beyond;
    std::uint64_t (*most)(const core::Config&);
    std::string_view from, sum = "COUNT(*)", where = "";  // of the SELECT that counts the things of `organisation_id`
    std::string_view list = {};                           // the list whose kept counts have the number, and
    char scope = {};                                      // the letter of its scope
};

// One for each of Things, in their order.
std::span<const Limit> limits();
const Limit& limit_of(Things things);

// "limit of 200000 stock items reached"
std::string limit_reached(const core::Config& config, Things things);

// How many the organisation has by what is committed and what this transaction wrote, without its kept counts that are not written yet.
std::int64_t used(db::Connection& connection, Things things, const core::Uuid& organisation_id, core::Time now);

// How many more it may have: 0 at its limit or beyond.
std::size_t room_for(db::Connection& connection, const core::Config& config, Things things, const core::Uuid& organisation_id);

// Inside a transaction that has written more of these things: throws 409 if the organisation now has more than it may, with `more` on top.
// Near the limit transactions of an organisation wait for each other here, so that they do not exceed it together. Far below it an
// organisation is counted once in ten seconds. To be called when the
// rows are written, because a transaction that holds its turn must not wait for them.
void check_room(WriteTransaction& transaction, const core::Config& config, Things things, const core::Uuid& organisation_id,
                std::int64_t more = 0);

struct Usage {
    const Limit& limit;
    std::int64_t used;
    std::uint64_t most;
    bool is_over() const { return std::uint64_t(used) > most; }
};

// One for each of Things, in their order.
std::vector<Usage> usage_of(db::Connection& connection, const core::Config& config, const core::Uuid& organisation_id,
                            core::Time now);

// The organisations with more than `most`, and how many they have. Not for kept_answer_bytes. Reads an index from one end to the other.
std::vector<std::pair<core::Uuid, std::int64_t>> organisations_over(db::Connection& connection, Things things,
                                                                    std::uint64_t most);

}  // namespace tradepost::writes
