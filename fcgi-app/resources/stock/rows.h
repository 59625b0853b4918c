// Stock items from rows, with their images.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/connection.h"
#include "resources/stock/stock_item.h"

namespace tradepost::stock {

// What read() wants of the table `t`, in its order; and what an INSERT names, which are the derived columns, too.
const std::string& columns();
const std::string& columns_written();

// Without images.
StockItem read(db::Row& row);

// Items with their images, one row for each image and one for an item without any: the columns, and what is joined to `stock_items t`.
// Long texts stand in an item's first row alone.
const std::string& columns_with_images();
inline constexpr const char* joined_images =
    " LEFT JOIN stock_images i FORCE INDEX (PRIMARY) ON i.stock_id = t.id LEFT JOIN uploads u FORCE INDEX (PRIMARY) ON u.id = "
    "i.upload_id";

// The items of such rows, each once, with their images in order.
std::vector<StockItem> read_items(db::Rows& rows);

// Gives the items their images; at most one round trip.
void add_images(db::Connection& connection, std::span<StockItem> items);

// Empty when there is no such item, or the user is no member of its organisation. At most two round trips.
std::optional<StockItem> find_of_member(db::Connection& connection, const core::Uuid& user_id, const core::Uuid& id);

}  // namespace tradepost::stock
