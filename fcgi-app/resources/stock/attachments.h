// The images and documents of stock items: uploads that an item shows. These are the hooks of the description in stock_item.cpp.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "db/connection.h"
#include "json/value.h"
#include "json/writer.h"
#include "resources/stock/stock_item.h"

namespace tradepost::stock {

// The members `images` and `documents`, where the body has them. They are known by their ids alone afterwards: see lock_uploads(). A source that
// an image of `item` has is not fetched again, unless that failed.
void read_attachments(const json::Json& body, StockItem& item);
void write_attachments(json::Writer& writer, const StockItem& item);

// Items with their images and documents, one row at least for an item: the columns, and what is joined to `stock_items t`. The row of the
// first image is repeated for each document. Long texts stand in an item's first row alone.
const std::string& columns_with_attachments();
inline constexpr const char* joined_attachments =
    " LEFT JOIN stock_images i FORCE INDEX (PRIMARY) ON i.stock_id = t.id LEFT JOIN uploads u FORCE INDEX (PRIMARY) ON u.id = "
    "i.upload_id LEFT JOIN stock_documents d FORCE INDEX (PRIMARY) ON d.stock_id = t.id AND IFNULL(i.position, 0) = 0 LEFT JOIN "
    "uploads f FORCE INDEX (PRIMARY) ON f.id = d.upload_id";

// The items of such rows, each once, with their images and documents in order.
std::vector<StockItem> read_items(db::Rows& rows);

// Gives the items their images and documents; one round trip.
void add_attachments(db::Connection& connection, std::span<StockItem> items);

// Whether these have the same uploads, in the same order and with the same titles.
bool same_attachments(const StockItem& a, const StockItem& b);

// For the history: how many there are. The same number may mean another order.
void write_differences(json::Writer& writer, const StockItem& before, const StockItem& after);

// Locks the uploads that `item` shows and `row`, which is null for a new item, does not, and those that it no longer shows; sets the URLs of its
// images and documents. Throws 400 when one that is to be attached is not READY, of another organisation or of the wrong type.
void lock_uploads(db::Connection& connection, StockItem& item, const StockItem* row);

// As lock_uploads(), without locks and without a transaction: throws what it would throw now.
void check_uploads(db::Connection& connection, const StockItem& item, const StockItem* row);

// Writes what the items show and has new sources fetched. Uploads that nothing shows any more are detached at the items' `updatedAt`.
void store_attachments(db::Connection& connection, std::span<const StockItem> items, std::span<const StockItem* const> before);
void detach_all(db::Connection& connection, const StockItem& item, core::Time now);

}  // namespace tradepost::stock
