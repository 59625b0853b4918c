// Rows of stock_items as items: what reading and writing share.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "db/connection.h"
#include "domain/stock_item.h"

namespace tradepost::repo {

// The column of a field: "item_condition" for "condition".
std::string stock_column(std::string_view field);

// What read_stock_item() wants of the table `t`, in its order; and without `t.`, as an INSERT names it.
const std::string& stock_columns();
const std::string& stock_columns_written();

// Without its images.
domain::StockItem read_stock_item(const db::Row& row);

// Gives the items their images; at most one round trip.
void add_images(db::Connection& connection, std::span<domain::StockItem> items);

}  // namespace tradepost::repo
