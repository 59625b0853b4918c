// Pages of events: what is not over first, then the past.
#pragma once
#include "lists/selection.h"

namespace tradepost::events {

// As lists::newest_first(), in the order of events.
lists::Page upcoming_first(db::Connection& connection, const lists::Selection& selection, db::Slice slice, core::Time now,
                           const lists::Total* known);

// When the next event is over or becomes public; empty: never, unless somebody writes. One round trip.
std::optional<core::Time> next_change(db::Connection& connection, core::Time now);

}  // namespace tradepost::events
