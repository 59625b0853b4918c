// What becomes of an image that was fetched: its items change, so that polls, ETags and webhooks tell of it.
#pragma once
#include <string_view>

#include "core/clock.h"
#include "db/connection.h"
#include "files/intake.h"

namespace tradepost::stock {

enum class Fetched { ready, not_wanted, no_room };

// Makes the upload READY and publishes its files. `quota` is that of the organisation's uploads, in bytes. Throws as uploads::publish(),
// db::Unavailable and db::Error.
Fetched keep_fetched(db::Connection& connection, const core::Clock& clock, files::Store& store, std::uint64_t quota,
                     const core::Uuid& upload_id, const std::string& content_type, const files::Prepared& prepared);

// Makes it FAILED. `why` is for the client.
void give_up_fetching(db::Connection& connection, const core::Clock& clock, const core::Uuid& upload_id, std::string_view why);

}  // namespace tradepost::stock
