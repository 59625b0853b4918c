// Versions of what the public lists show: they tell whether something remembered is still true.
#pragma once
#include <cstdint>
#include <string_view>

#include "db/connection.h"

namespace tradepost::repo {

inline constexpr std::string_view jobs_collection = "jobs", events_collection = "events", posts_collection = "posts";

class Collections {
public:
    explicit Collections(db::Connection& connection) : connection_(connection) {}

    // Greater after every committed touch(); unchanged by what was rolled back. One round trip.
    std::uint64_t version(std::string_view collection);

private:
    db::Connection& connection_;
};

// Says, inside the transaction that changes a collection, that readers will see it changed once it commits. Call it last: the row stays
// locked until the commit.
void touch(db::Connection& connection, std::string_view collection);

}  // namespace tradepost::repo
