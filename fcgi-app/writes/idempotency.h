// Answers that are kept so that a POST sent again does nothing again (Idempotency-Key).
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "db/connection.h"

namespace tradepost::writes {

inline constexpr std::chrono::hours idempotency_keys_live{24};

struct KeptAnswer {
    int status = 0;
    std::string headers;  // JSON
    std::string body;
};

// All inside one transaction with what the request writes: either both are there or neither is, whenever a process dies.
class IdempotencyKeys {
public:
    // `key`: as the client sent it. `request_hash`: 32 bytes that tell requests apart.
    IdempotencyKeys(db::Connection& connection, const core::Uuid& user_id, std::string_view key, std::string_view request_hash);

    struct OtherRequest {};  // thrown by begin()

    // The answer of the same request under this key, at most 24 hours old; it waits for one that is under way. Empty when the caller is the
    // first, who then calls finish() before the commit. Throws OtherRequest when the key was used for another request.
    std::optional<KeptAnswer> begin(core::Time now);
    void finish(const KeptAnswer& answer);

private:
    db::Connection& connection_;
    core::Uuid user_id_;
    std::string key_hash_, request_hash_;
};

}  // namespace tradepost::writes
