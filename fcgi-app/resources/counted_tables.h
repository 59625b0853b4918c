// Every table whose lists have kept counts.
#pragma once
#include <span>

#include "lists/counting.h"

namespace tradepost::resources {

// For `recount` and `doctor`. A resource that is missing here is counted by its writers all the same.
std::span<const lists::CountedTable* const> counted_tables();

}  // namespace tradepost::resources
