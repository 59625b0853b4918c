// Versions of what the public lists show: they tell whether something remembered is still true.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "db/connection.h"

namespace tradepost::repo {

inline constexpr std::string_view jobs_collection = "jobs", events_collection = "events", posts_collection = "posts", stock_collection = "stock";

class SharedVersions;

class Collections {
public:
    // `shared` is borrowed; with null, or a `version_check` of 0, the database is asked each time.
    explicit Collections(db::Connection& connection, SharedVersions* shared = nullptr,
                         std::chrono::milliseconds version_check = std::chrono::milliseconds(0))
        : connection_(connection), shared_(shared), version_check_(version_check) {}

    // Greater after every committed touch(); unchanged by what was rolled back. The database is not asked (one round trip) when
    // `shared` knows of no commit since it was, less than `version_check` ago: that bounds how long a commit by way of another host
    // goes unseen, and a database that is away unnoticed.
    std::uint64_t version(std::string_view collection);

private:
    struct Known {
        std::uint64_t epoch, version;
        std::chrono::steady_clock::time_point asked;
    };
    std::uint64_t ask(std::string_view collection);

    db::Connection& connection_;
    SharedVersions* shared_;
    std::chrono::milliseconds version_check_;
    std::map<std::string, Known, std::less<>> known_;
};

// Says, inside the transaction that changes a collection, that readers will see it changed once it commits. Call it last: the row stays
// locked until the commit. The connection's observer hears of it. Throws std::logic_error outside a transaction.
void touch(db::Connection& connection, std::string_view collection);

}  // namespace tradepost::repo
