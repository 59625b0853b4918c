// What a feed's lines are, in a few bytes.
#pragma once
#include <string>
#include <string_view>

#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::feeds {

// Another one after every change: each raises `updated_at` of its row, or changes how the organisation is shown. `index`: of (organisation_id, updated_at, id) of `table`.
std::string digest(db::Connection& connection, std::string_view table, std::string_view index, const core::Uuid& organisation_id);

// The entity tag of the feed.
std::string tag_of(std::string_view digest);

}  // namespace tradepost::feeds
