// Stock items to and from JSON, for the routes and for imports and exports.
#pragma once
#include "fields/json.h"
#include "resources/stock/stock_item.h"

namespace tradepost::stock {

// The fields of `body` over `item`. Its images are known by their ids alone afterwards: see StockWriter::lock_images(). Throws
// 400 for the first field that is wrong, unknown, or missing in what readers see. `others`: members that are allowed and not
// looked at.
void read_stock_item(const json::Json& body, StockItem& item, fields::Reading reading,
                     std::initializer_list<std::string_view> others);

// What an image that cannot be attached is told: 400.
http::ApiError unusable_image();

// As GET shows it.
void write(json::Writer& writer, const StockItem& item);

// The members, without the braces and the ids.
void write_stock_fields(json::Writer& writer, const StockItem& item);

}  // namespace tradepost::stock
