// The lists of events.
#pragma once
#include "counts/histogram.h"
#include "lists/list.h"

namespace tradepost::events {

// What the public sees: published, of a published organisation. What is not over comes first, the earliest beginning first; then what
// is over, the latest beginning first.
const lists::List& public_list();

// All events of an organisation, as its members see them: the latest beginning first.
const lists::List& member_list();

// How events are counted by the milliseconds at which they begin and end.
extern const counts::Histogram beginnings, ends;

inline constexpr lists::Searched words{"event_search", "event_id"};

}  // namespace tradepost::events
