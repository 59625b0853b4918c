// Reading events.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "db/connection.h"
#include "domain/event.h"
#include "repo/search_engine.h"

namespace tradepost::repo {

struct EventFilter {
    std::optional<search::Query> search;
    std::vector<std::string> categories, cities;
    std::optional<core::Time> from, to;  // bounds of startsAt, both inclusive
};

class Events {
public:
    Events(db::Connection& connection, SearchEngine& search) : connection_(connection), search_(search) {}

    Count count(const EventFilter& filter, core::Time now);

    // Without descriptions; what is not over first, by startsAt, then the past, newest first. `count` is count()'s for the same filter.
    std::vector<domain::Event> page(const EventFilter& filter, const Count& count, Slice slice, core::Time now);

    // The same and the total at once, best match first; `filter.search` is set.
    std::pair<std::vector<domain::Event>, Count> search(const EventFilter& filter, Slice slice, core::Time now);

    // What the public may see.
    std::optional<domain::Event> find(std::string_view id_or_slug, core::Time now);

private:
    std::optional<core::Time> next_change(core::Time now);
    db::Connection& connection_;
    SearchEngine& search_;
};

}  // namespace tradepost::repo
