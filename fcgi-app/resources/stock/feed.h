// GET, PUT /stock/feed: the whole stock of an organisation in one request.
#pragma once
#include "api/call.h"

namespace tradepost::stock {

http::Response get_stock_feed(api::Call& call);
http::Response put_stock_feed(api::Call& call);

}  // namespace tradepost::stock
