// Collection versions: numbers in the database that rise with every committed change of a collection. They tell whether a cached response
// is still valid.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "db/connection.h"

namespace tradepost::versions {

inline constexpr std::string_view jobs_collection = "jobs", events_collection = "events", posts_collection = "posts",
                                  stock_collection = "stock";

class SharedVersions;

class CollectionVersions {
public:
    // Borrows `shared`; with null, or a `version_check` of 0, the version is read from the database each time.
    explicit CollectionVersions(db::Connection& connection, SharedVersions* shared = nullptr,
                                std::chrono::milliseconds version_check = std::chrono::milliseconds(0))
        : connection_(connection), shared_(shared), version_check_(version_check) {}

    // The version: greater after every committed touch(), unchanged by a rollback. It is read from the database (one round trip) unless
    // it was less than `version_check` ago and `shared` has announced no commit since. So `version_check` bounds how long a commit by
    // another host stays unseen, and a database that is away unnoticed.
    std::uint64_t version(std::string_view collection);

private:
    struct Checked {  // a version, and when it was read from the database
        std::uint64_t epoch, version;
        std::chrono::steady_clock::time_point at;
    };
    std::uint64_t read(std::string_view collection);

    db::Connection& connection_;
    SharedVersions* shared_;
    std::chrono::milliseconds version_check_;
    std::map<std::string, Checked, std::less<>> checked_;
};

// Raises the collection's version inside the open transaction, and has the connection's observer announce the commit. To be called last,
// because the row stays locked until the commit; writes::WriteTransaction does. Throws std::logic_error outside a transaction.
void touch(db::Connection& connection, std::string_view collection);

}  // namespace tradepost::versions
