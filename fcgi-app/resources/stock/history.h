// The history of stock items.
#pragma once
#include <map>
#include <span>

#include "db/connection.h"
#include "resources/stock/stock_item.h"

namespace tradepost::stock {

// Inside the transaction that writes `items`: what differs from the rows that there were, and who did it.
void record_history(db::Connection& connection, std::span<const StockItem> items,
                    const std::map<core::Uuid, const StockItem*>& row_of);

}  // namespace tradepost::stock
