// Pages of lists whose newest row comes first, or the first by what `sort` names.
#pragma once
#include "lists/selection.h"

namespace tradepost::lists {

// The rows of the page and the total of the list; `known` is the total if it was read before, else null. One round trip for most first
// pages, two where the total decides which index is read. Throws as total_of(). Pages far from both ends take some more, in one snapshot of the database.
Page newest_first(db::Connection& connection, const Selection& selection, db::Slice slice, core::Time now, const Total* known);

// The same for any list, also one of what is upcoming.
inline Page read_page(db::Connection& connection, const Selection& selection, db::Slice slice, core::Time now,
                      const Total* known) {
    return (selection.list->upcoming ? selection.list->upcoming->read : newest_first)(connection, selection, slice, now, known);
}

// Whether the page that begins at row `offset`, or the total unless it is `known`, takes an index scan over rows that no kept count or histogram saves.
bool reads_many_rows(const Selection& selection, std::int64_t offset, const Total* known);

// A page of a poll, from the selection's position on, in the list's order. The last column of each row is the time of that order. Two
// round trips.
Page page_of_poll(db::Connection& connection, const Selection& selection, db::Slice slice, core::Time now);

// The list's columns of these rows, in the order of `ids`.
db::Rows rows_of(db::Connection& connection, const Selection& selection, const std::vector<core::Uuid>& ids, core::Time now);

}  // namespace tradepost::lists
