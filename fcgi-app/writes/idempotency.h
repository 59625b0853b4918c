// Answers that are kept so that a POST sent again does nothing again (Idempotency-Key).
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "db/connection.h"
#include "json/mentions.h"

namespace tradepost::writes {

inline constexpr std::chrono::hours idempotency_keys_live{24};

struct KeptAnswer {
    int status = 0;
    std::string headers;  // JSON
    std::string body;
};

// All but find() inside one transaction with what the request writes: either both are there or neither is, whenever a process dies.
class IdempotencyKeys {
public:
    // `key`: as the client sent it. `request_hash`: 32 bytes that tell requests apart.
    IdempotencyKeys(db::Connection& connection, const core::Uuid& user_id, std::string_view key, std::string_view request_hash);

    struct OtherRequest {};  // thrown by begin() and find()
    struct TooMuchKept {};   // thrown by begin()

    // The answer of the same request under this key, at most 24 hours old; it waits for one that is under way. Empty when the caller is the
    // first, who then calls finish() before the commit. Throws OtherRequest when the key was used for another request, and TooMuchKept when
    // the answer could not be kept, because the user's answers of the last 24 hours have `most_bytes` already. Requests of one user at once may
    // exceed that by an answer each.
    std::optional<KeptAnswer> begin(core::Time now, std::uint64_t most_bytes);

    // What begin() would return if nobody else were at work, without a lock and also outside a transaction. Throws OtherRequest.
    std::optional<KeptAnswer> find(core::Time now);

    void finish(const KeptAnswer& answer);

    // Erases kept answers that mention the person, and what is known of their requests: a repeated request then throws OtherRequest. Reads all
    // answers without locks and changes one in each transaction. Returns how many it erased. Throws db::Error.
    static std::uint64_t erase_about(db::Connection& connection, const json::Mentions& person);

private:
    std::optional<KeptAnswer> answer_in(const db::Row& row, core::Time now) const;
    void check_room(core::Time now, std::uint64_t most_bytes);

    db::Connection& connection_;
    core::Uuid user_id_;
    std::string key_hash_, request_hash_;
};

// The bytes of kept answers of that member or integration of the organisation who has most of them.
std::int64_t most_kept_bytes(db::Connection& connection, const core::Uuid& organisation_id, core::Time now);

}  // namespace tradepost::writes
