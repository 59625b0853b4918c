// The FROM and WHERE of a selection, with the index that the database is to use.
#pragma once
#include <vector>

#include "lists/selection.h"

namespace tradepost::lists {

enum class Rows { shown, hidden, counted };

// " FROM … WHERE …" of the selected rows as `t`, and the column of their ids. Borrows the selection.
struct Source {
    db::Sql from;
    std::string_view id = "t.id";
    // Whether every entry of the index that is read is a selected row, apart from hidden ones.
    bool index_answers = false;
};

// Rows::hidden are those that List::hidden describes; Rows::counted are those shown, in no order.
Source source(const Selection& selection, Rows rows, core::Time now);
// The same for some of its owners.
Source source(const Selection& selection, std::span<const core::Uuid> owners, Rows rows, core::Time now);

// The conditions alone, over the list's table as `t`.
db::Sql conditions(const Selection& selection, Rows rows, core::Time now);

// The selection in disjoint parts, each of which an index has in the list's order: one for each owner, or for each value of the filter whose
// index is read, if these are few. The selection itself if it cannot be divided so.
std::vector<Selection> in_order(const Selection& selection);

// Up to how many matches it is faster to sort them than to find a page in the selection's order; 0 where the index that is read has that
// order, or no other is at hand.
std::int64_t worth_sorting(const Selection& selection, db::Slice slice);

// " FORCE INDEX (…)" of the list's table. Without it the optimizer reads from the newest row on, whatever the filter, which takes
// seconds on a large table.
std::string index_hint(const Selection& selection, Rows rows = Rows::shown);

}  // namespace tradepost::lists
