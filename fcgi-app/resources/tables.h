// The tables of all resources, for what is done to all of them.
#pragma once
#include <span>

#include "lists/counting.h"
#include "writes/content_table.h"

namespace tradepost::resources {

// What organisations publish: hidden and shown with its organisation, and written anew by `recount`.
std::span<const writes::ContentTable> content_tables();

// Every table whose lists have kept counts, those of content_tables() included: for `recount` and `doctor`. A table that is missing here is
// counted by its writers all the same.
std::span<const lists::CountedTable* const> counted_tables();

}  // namespace tradepost::resources
