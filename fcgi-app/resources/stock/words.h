// What is searched of stock items.
#pragma once
#include <span>

#include "db/connection.h"
#include "resources/stock/stock_item.h"

namespace tradepost::stock {

// Writes the items' rows of `stock_search`, inside the transaction that writes the items.
void write_words(db::Connection& connection, std::span<const StockItem* const> items);

bool same_words(const StockItem& a, const StockItem& b);

}  // namespace tradepost::stock
