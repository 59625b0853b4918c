#include "resources/events/list.h"

#include "resources/events/rows.h"
#include "resources/events/upcoming_first.h"

namespace tradepost::events {
namespace {

using lists::Compare;

constexpr int shifts[] = {32, 24, 16, 8, 0};
constexpr lists::Histogram by_beginning(1, shifts), by_end(1 + std::size(shifts), shifts);

const lists::CountedRange begins{.column = "starts_at", .histogram = by_beginning, .most_terms = 2, .is_time = true};
const lists::CountedRange is_over{.column = "over_at", .histogram = by_end, .most_terms = 2, .is_time = true};

// clang-format off
const lists::Filter filters[] = {
    {.parameter = "organisationId", .compare = Compare::id, .column = "organisation_id", .index = {"events_members", 3}},
    {.parameter = "category", .compare = Compare::folded, .column = "category_key", .index = {"events_category", 1, true}, .count = 'c', .facet = 100, .written = "category"},
    {.parameter = "city",     .compare = Compare::folded, .column = "city_key",     .index = {"events_city", 2, true},     .count = 'y', .facet = 101, .written = "city"},
    {.parameter = "from",     .compare = Compare::from,   .column = "starts_at",    .range = &begins},
    {.parameter = "to",       .compare = Compare::to,     .column = "starts_at",    .range = &begins, .not_below = "from"},
};
// clang-format on

// The members' list is of one organisation, whose rows are few.
std::vector<lists::Filter> member_filters() {
    std::vector<lists::Filter> all{{.parameter = "published", .compare = Compare::present, .column = "published_at"}};
    for (const auto& filter : std::span(filters).subspan(1)) {
        all.push_back(filter);
        all.back().index = {};
        all.back().count = 0;
        all.back().range = nullptr;
    }
    return all;
}

constexpr lists::Hidden not_yet_published{
    .column = "published_at",
    .from_then_on = false,
    .shown = "t.published_at <= ?",
    .hidden = "t.published_at > ?",
    .index = "events_publication",
    .next = "(SELECT MIN(published_at) FROM events FORCE INDEX (events_publication) WHERE listed = 1 AND published_at > ?)",
};

constexpr lists::Searched words{"event_search", "event_id"};

void write_items(json::Writer& writer, db::Rows& rows) {
    for (auto& row : rows) write(writer, read(row, false), false);
}

}  // namespace

constinit const lists::Histogram beginnings = by_beginning, ends = by_end;

const lists::List& public_list() {
    static const lists::List list{
        .name = "events",
        .collection = "events",
        .table = "events",
        .scope = lists::listed,
        .index = "events_past",
        .order = "starts_at",
        .filters = filters,
        .most_terms = 2,
        .by_order = std::span(&by_beginning, 1),
        .ranges = std::span(&is_over, 1),
        .most_terms_of_facets = 1,
        .hidden = &not_yet_published,
        .searched = &words,
        .over = "over_at",
        .columns = columns(false),
        .joins = joins,
        .write = write_items,
        .read = upcoming_first,
        .next_change = next_change,
    };
    return list;
}

const lists::List& member_list() {
    static const auto its_filters = member_filters();
    static const lists::List list{
        .name = "events of members",
        .collection = "events",
        .table = "events",
        .scope = "organisation_id",
        .index = "events_members",
        .order = "starts_at",
        .filters = its_filters,
        .searched = &words,
        .columns = columns(false),
        .joins = joins,
        .write = write_items,
    };
    return list;
}

const lists::CountedTable& counted_table() {
    static const lists::CountedTable table({&public_list(), &member_list()});
    return table;
}

}  // namespace tradepost::events
