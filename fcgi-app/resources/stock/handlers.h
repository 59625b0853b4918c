// GET, POST /stock; GET, PATCH, DELETE /stock/{id}; GET, PUT, DELETE /stock/by-reference/{reference}.
#pragma once
#include "api/call.h"

namespace tradepost::stock {

http::Response list_stock(api::Call& call);
http::Response get_stock_item(api::Call& call);
http::Response get_stock_facets(api::Call& call);
http::Response create_stock_item(api::Call& call);
http::Response change_stock_item(api::Call& call);
http::Response delete_stock_item(api::Call& call);
http::Response put_stock_item(api::Call& call);
http::Response get_stock_item_by_reference(api::Call& call);
http::Response delete_stock_item_by_reference(api::Call& call);

}  // namespace tradepost::stock
