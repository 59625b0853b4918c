// Uploads that the service fetches itself, from addresses that clients named. No list of uploads has them before they are READY: what shows
// them tells of them, and their own address. tradepost-deliver does it (deliver/fetch.h).
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "db/connection.h"

namespace tradepost::uploads {

struct Wanted {
    core::Uuid id, organisation_id;
    std::string source_url;
};

// Inside the transaction that attaches them: makes the rows, FETCHING and with one reference each, and sends the messages.
void begin_fetching(db::Connection& connection, std::span<const Wanted> wanted, core::Time now);

// What a message asks for, and the `attempt` of it, from 0.
struct Task {
    core::Uuid upload_id;
    std::int64_t attempt;
};
Task read_task(const std::string& payload);

// Empty when it is fetched, or has failed, or nothing shows it any more.
std::optional<Wanted> find_wanted(db::Connection& connection, const core::Uuid& id);

// Sends the message once more.
void fetch_again(db::Connection& connection, const Wanted& wanted, std::int64_t attempt, core::Time now, core::Time not_before);

// Makes it FAILED, unless it was fetched meanwhile. `why` is for the client.
void fail_fetch(db::Connection& connection, const core::Uuid& id, std::string_view why);

inline constexpr const char* fetch_kind = "fetch image";

}  // namespace tradepost::uploads
