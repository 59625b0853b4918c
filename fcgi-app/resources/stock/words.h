// What is searched of stock items.
#pragma once
#include <span>

#include "db/connection.h"
#include "resources/stock/stock_item.h"

namespace tradepost::stock {

// Writes the items' rows of `stock_search`, inside the transaction that writes the items.
void write_words(db::Connection& connection, std::span<const StockItem> items);

}  // namespace tradepost::stock
