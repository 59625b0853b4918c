// Rows of stock_items as items: what reading and writing share.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

// Items with their images, one row for each image and one for an item without any: the columns and what they are read from, which
// follows `stock_items t`. Long texts stand in an item's first row alone.
const std::string& stock_columns_with_images();
const char* stock_images();

// The items of such rows, each once, with their images in order; a row without an item is left out.
std::vector<domain::StockItem> read_stock_items(const db::Rows& rows);

// Gives the items their images; at most one round trip.
void add_images(db::Connection& connection, std::span<domain::StockItem> items);

}  // namespace tradepost::repo
