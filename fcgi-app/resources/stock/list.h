// The list of stock.
#pragma once
#include "lists/counting.h"
#include "lists/list.h"

namespace tradepost::stock {

// All items of some organisations, as their members see them.
const lists::List& member_list();

// Their counts.
const lists::CountedTable& counted_table();

}  // namespace tradepost::stock
