// Stock items from rows, with their images and documents.
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

// Without images and documents.
StockItem read(db::Row& row);

// Items with their images and documents, one row at least for an item: the columns, and what is joined to `stock_items t`. The row of the
// first image is repeated for each document. Long texts stand in an item's first row alone.
const std::string& columns_with_attachments();
inline constexpr const char* joined_attachments =
    " LEFT JOIN stock_images i FORCE INDEX (PRIMARY) ON i.stock_id = t.id LEFT JOIN uploads u FORCE INDEX (PRIMARY) ON u.id = "
    "i.upload_id LEFT JOIN stock_documents d FORCE INDEX (PRIMARY) ON d.stock_id = t.id AND IFNULL(i.position, 0) = 0 LEFT JOIN "
    "uploads f FORCE INDEX (PRIMARY) ON f.id = d.upload_id";

// The items of such rows, each once, with their images and documents in order.
std::vector<StockItem> read_items(db::Rows& rows);

// Gives the items their images and documents; at most one round trip.
void add_attachments(db::Connection& connection, std::span<StockItem> items);

// The organisation's items with these references. At most two round trips.
std::vector<StockItem> find_by_references(db::Connection& connection, const core::Uuid& organisation_id,
                                          std::span<const std::string> references);

// Empty when there is no such item, or the user is no member of its organisation. At most two round trips.
std::optional<StockItem> find_of_member(db::Connection& connection, const core::Uuid& user_id, const core::Uuid& id);

// The item that the organisation knows by this reference. At most two round trips.
std::optional<StockItem> find_by_reference(db::Connection& connection, const core::Uuid& organisation_id,
                                           const std::string& reference);

}  // namespace tradepost::stock
