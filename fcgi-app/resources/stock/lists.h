// The list of stock.
#pragma once
#include "lists/list.h"

namespace tradepost::stock {

// All items of some organisations, as their members see them.
const lists::List& member_list();

inline constexpr lists::Searched words{"stock_search", "stock_id"};

}  // namespace tradepost::stock
