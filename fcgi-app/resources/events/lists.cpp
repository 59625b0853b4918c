#include "resources/events/lists.h"

#include "resource/rows.h"
#include "resources/events/event.h"
#include "resources/events/upcoming.h"

namespace tradepost::events {
namespace {

using lists::Compare;

constexpr int shifts[] = {32, 24, 16, 8, 0};
constexpr counts::Histogram by_beginning(1, shifts), by_end(1 + std::size(shifts), shifts);
constexpr counts::Range counted_times[] = {
    {.column = "starts_at", .histogram = by_beginning, .most_letters = 2, .is_time = true},
    {.column = "over_at", .histogram = by_end, .most_letters = 2, .is_time = true},
};

// clang-format off
constexpr counts::Letter letters[] = {{.letter = 'c', .column = "category_key"}, {.letter = 'y', .column = "city_key"}};
constexpr counts::Facet facets[] = {
    {.name = "category", .measure = 100, .column = "category", .folded = true},
    {.name = "city",     .measure = 101, .column = "city",     .folded = true},
};

constexpr lists::Filter filters[] = {
    {.parameter = "organisationId", .compare = Compare::id, .column = "organisation_id", .index = {"events_members", 3}},
    {.parameter = "category", .compare = Compare::folded, .column = "category_key", .index = {"events_category", 1, true}},
    {.parameter = "city",     .compare = Compare::folded, .column = "city_key",     .index = {"events_city", 2, true}},
    {.parameter = "from",     .compare = Compare::from,   .column = "starts_at"},
    {.parameter = "to",       .compare = Compare::to,     .column = "starts_at", .not_below = "from"},
};

// The members' list is of one organisation, whose rows are few.
constexpr lists::Filter member_filters[] = {
    {.parameter = "published", .compare = Compare::present,   .column = "published_at"},
    {.parameter = "category",  .compare = Compare::folded,    .column = "category_key"},
    {.parameter = "city",      .compare = Compare::folded,    .column = "city_key"},
    {.parameter = "from",      .compare = Compare::from,      .column = "starts_at"},
    {.parameter = "to",        .compare = Compare::to,        .column = "starts_at", .not_below = "from"},
    {.parameter = "reference", .compare = Compare::reference, .column = "reference", .index = {"events_reference", 4}},
};
// clang-format on

constexpr lists::Order member_orders[] = {{.name = "updated", .column = "updated_at", .index = "events_poll"}};

constexpr lists::Upcoming upcoming{"over_at", upcoming_first, next_change};

}  // namespace

constinit const counts::Histogram beginnings = by_beginning, ends = by_end;

const lists::List& public_list() {
    static const auto not_yet_published = resource::hidden<Event>("events_publication");
    static const lists::List list{
        .collection = "events",
        .table = "events",
        .scope = lists::listed,
        .order = {.column = "starts_at", .index = "events_past"},
        .filters = filters,
        .counts = {.letters = letters, .most_letters = 2, .ranges = counted_times, .facets = facets, .most_letters_of_facets = 1},
        .hidden = &not_yet_published,
        .searched = &words,
        .upcoming = &upcoming,
        .items = resource::items<Event>(),
    };
    return list;
}

const lists::List& member_list() {
    static const lists::List list{
        .collection = "events",
        .table = "events",
        .scope = "organisation_id",
        .order = {.column = "starts_at", .index = "events_members"},
        .orders = member_orders,
        .filters = member_filters,
        .counts = {.facets = facets},
        .searched = &words,
        .poll = resource::poll<Event>(),
        .items = resource::items<Event>(),
    };
    return list;
}

}  // namespace tradepost::events
