// Pages of events: what is not over first, then the past.
#pragma once
#include "lists/selection.h"

namespace tradepost::events {

// As lists::newest_first(), in the order of events.
lists::Page upcoming_first(db::Connection& connection, const lists::Selection& selection, db::Slice slice, core::Time now,
                           const lists::Total* known);

// When the next event is over or becomes public; empty: never, unless somebody writes. One round trip.
std::optional<core::Time> next_change(db::Connection& connection, core::Time now);

// How many events a selection has, and how many of them are not over.

// One round trip where the writers keep the counts, two while an event is going on; else the rows are counted.
lists::Total upcoming_total(db::Connection& connection, const lists::Selection& selection, core::Time now);

// The selection without `from` and `to`.
lists::Selection without_times(lists::Selection selection);

// Its bound of starts_at; empty without one.
std::optional<core::Time> bound(const lists::Selection& selection, lists::Compare compare);

// " FROM events t FORCE INDEX (…) WHERE ": of the filter that is walked, or `unfiltered`. The index that is named keeps the optimizer from
// walking another one; a filtered list is short enough to sort.
std::string from_index(const lists::Selection& selection, std::string_view unfiltered);

}  // namespace tradepost::events
