// Reading the audit log.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::audit {

struct Filter {
    std::optional<core::Time> since{};
    std::optional<core::Uuid> user{};  // who did it, or whose account it is about
    std::optional<std::string> event{}, address{};
};

struct Found {
    core::Time happened_at, first_at;
    std::uint64_t times;
    std::string event, actor, address, request_id, detail;
    std::optional<core::Uuid> user, target, organisation;
    // As they are today; empty when the user or the organisation is gone.
    std::optional<std::string> actor_email, user_email, organisation_slug;
};

// The newest `limit`, the newest first. Throws db::Unavailable or db::Error.
std::vector<Found> search(db::Connection& connection, const Filter& filter, int limit);

}  // namespace tradepost::audit
