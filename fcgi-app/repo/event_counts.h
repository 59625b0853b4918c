// Which counts of the events' lists an event takes part in, and which add up to what a filter finds.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "domain/event.h"
#include "repo/events.h"
#include "repo/histogram.h"

namespace tradepost::repo {

// What of a row the lists' filters look at. Empty texts: none.
struct CountedEvent {
    static constexpr std::string_view columns = "listed, category_key, city_key, starts_at, over_at";

    bool listed = false;
    std::string category_key, city_key;
    core::Time starts_at, over_at;

    static CountedEvent of(const domain::Event& event, bool listed);
    // From `columns`, the first of which is column `first`.
    static CountedEvent read(const db::Row& row, std::size_t first);
};

// Adds `n` for the event, if it is listed, to the counts of all, of its category, its city and both; each also by its beginning
// and by its end. Events that are to be published later are among them.
void count(CountChanges& changes, const CountedEvent& event, std::int64_t n);

// The filter whose counts are of what `filter` finds, apart from its times. Empty when nobody keeps them.
std::optional<FilterKey> counted_filter(const EventFilter& filter);

// By milliseconds, exactly.
extern const Histogram event_beginnings, event_ends;

// Of those that `filter` names, in SQL that borrows it: the ones that begin from `from` on (any time without) up to `to`.
CountSum events_between(const FilterKey& filter, std::optional<core::Time> from, std::optional<core::Time> to);
// Those that are not over at that time.
CountSum events_not_over(const FilterKey& filter, core::Time now);

}  // namespace tradepost::repo
