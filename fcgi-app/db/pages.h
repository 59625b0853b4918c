// Reading whole tables a page at a time.
#pragma once
#include <functional>
#include <span>
#include <string_view>

#include "db/connection.h"

namespace tradepost::db {

// Calls `use` for the ids of all rows, in their order and at most `size` at once; rows that are added meanwhile may come or not. Returns how many.
std::size_t each_page(Connection& connection, std::string_view table, int size,
                      const std::function<void(std::span<const core::Uuid> ids)>& use);

}  // namespace tradepost::db
