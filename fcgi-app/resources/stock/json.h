// Stock items to and from JSON, for the routes and for imports and exports.
#pragma once
#include "fields/json.h"
#include "resources/stock/stock_item.h"

namespace tradepost::stock {

// The fields of `body` over `item`. Its images and documents are known by their ids alone afterwards: see StockWriter::lock_uploads(). Throws
// 400 for the first field that is wrong, unknown, or missing in what readers see. `others`: members that are allowed and not
// looked at.
void read_stock_item(const json::Json& body, StockItem& item, fields::Reading reading,
                     std::initializer_list<std::string_view> others);

// What a PUT by reference, or a line of a feed, makes of an item: `body`, which names the reference, in place of `before`, the one that has
// it. Without such an item `before` is null, and `fresh` is the new one with its id, organisation and times. `status`, `availability`,
// `images` and `documents` stay when the body leaves them out: they are not the feed's own. Throws 400 as read_stock_item(), and for a state
// in which no item begins. Uploads are to be locked afterwards, and then see check_put().
StockItem read_put(const json::Json& body, const StockItem& fresh, const StockItem* before);

// Throws 409 when the state of what read_put() returned may not follow that of `before`.
void check_put(const StockItem& item, const StockItem& before);

// As GET shows it.
void write(json::Writer& writer, const StockItem& item);
std::string render(const StockItem& item);

// The members, without the braces and the ids.
void write_stock_fields(json::Writer& writer, const StockItem& item);

}  // namespace tradepost::stock
