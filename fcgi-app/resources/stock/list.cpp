#include "resources/stock/list.h"

#include "lists/horizon.h"
#include "lists/selection.h"
#include "lists/time_counts.h"
#include "resources/stock/json.h"
#include "resources/stock/rows.h"

namespace tradepost::stock {
namespace {

using lists::Compare;

// Prices in buckets of about 10,000 and 10 whole units, and exactly. Levels of changes are about 50 days, 9 hours and 4 minutes wide.
constexpr int price_shifts[] = {20, 10, 0}, year_shifts[] = {0}, update_shifts[] = {32, 25, 18};
const lists::CountedRange ranges[] = {
    {.column = "price", .histogram = lists::Histogram(6, price_shifts), .rows_with_value = 5, .most_terms = 1},
    {.column = "year", .histogram = lists::Histogram(10, year_shifts), .rows_with_value = 9, .most_terms = 1},
    {.column = "updated_at", .histogram = lists::Histogram(11, update_shifts), .is_time = true},
};
constexpr lists::Histogram few_levels(1, std::span(lists::creation_shifts).first(2));
const auto &prices = ranges[0], &years = ranges[1], &updates = ranges[2];

// clang-format off
const lists::Filter filters[] = {
    {.parameter = "status",       .compare = Compare::code,     .column = "status",         .count = 's', .facet = 104},
    {.parameter = "availability", .compare = Compare::code,     .column = "availability",   .count = 'a', .facet = 105},
    {.parameter = "reference",    .compare = Compare::text,     .column = "reference",      .index = {"stock_items_reference", 4}},
    {.parameter = "make",         .compare = Compare::folded,   .column = "make_key",       .index = {"stock_items_make", 2, true},     .count = 'm', .sparse = true, .derived = true, .facet = 101, .written = "make"},
    {.parameter = "model",        .compare = Compare::folded,   .column = "model_key",      .index = {"stock_items_model", 3, true},    .count = 'd', .sparse = true, .derived = true, .facet = 102, .written = "model"},
    {.parameter = "category",     .compare = Compare::folded,   .column = "category_key",   .index = {"stock_items_category", 1, true}, .count = 'c', .sparse = true, .derived = true, .facet = 100, .written = "category"},
    {.parameter = "condition",    .compare = Compare::code,     .column = "item_condition", .count = 'n', .sparse = true, .facet = 103},
    {.parameter = "hasImages",    .compare = Compare::boolean,  .column = "has_images",     .count = 'i', .sparse = true, .derived = true},
    {.parameter = "priceMin",     .compare = Compare::at_least, .column = "price", .index = {.name = "stock_items_price", .unordered = true}, .range = &prices},
    {.parameter = "priceMax",     .compare = Compare::at_most,  .column = "price", .index = {.name = "stock_items_price", .unordered = true}, .range = &prices, .not_below = "priceMin"},
    {.parameter = "yearMin",      .compare = Compare::at_least, .column = "year",  .index = {.name = "stock_items_year", .unordered = true},  .range = &years},
    {.parameter = "yearMax",      .compare = Compare::at_most,  .column = "year",  .index = {.name = "stock_items_year", .unordered = true},  .range = &years,  .not_below = "yearMin"},
    {.parameter = "createdTo",    .compare = Compare::to,       .column = "created_at"},
};
const lists::Order orders[] = {
    {.name = "updated", .column = "updated_at", .index = "stock_items_poll",     .counted = &updates},
    {.name = "-price",  .column = "price",      .index = "stock_items_price",    .counted = &prices},
    {.name = "price",   .column = "price_up",   .index = "stock_items_price_up", .counted = &prices, .negated = true, .derived = true},
    {.name = "-year",   .column = "year",       .index = "stock_items_year",     .counted = &years},
    {.name = "year",    .column = "year_up",    .index = "stock_items_year_up",  .counted = &years,  .negated = true, .derived = true},
};
// clang-format on

constexpr lists::Searched words{"stock_search", "stock_id"};

core::Time horizon(db::Connection& connection, const lists::Selection& selection, const core::Clock& clock) {
    return lists::horizon(connection, "stock_items", selection.owners, clock);
}

void write_items(json::Writer& writer, db::Rows& rows) {
    for (const auto& item : read_items(rows)) write(writer, item);
}

}  // namespace

const lists::List& member_list() {
    static const lists::List list{
        .name = "stock",
        .collection = "stock",
        .table = "stock_items",
        .scope = "organisation_id",
        .scope_count = 'o',
        .index = "stock_items_list",
        .order = "created_at",
        .orders = orders,
        .filters = filters,
        .most_terms = 2,
        .by_order = std::span(&lists::creations, 1),
        .by_order_of_sparse = &few_levels,
        .ranges = ranges,
        .most_terms_of_facets = 0,
        .searched = &words,
        .poll_index = "stock_items_poll",
        .horizon = horizon,
        .columns = columns_with_attachments(),
        .joins = joined_attachments,
        .row_per_item = false,
        .write = write_items,
    };
    return list;
}

const lists::CountedTable& counted_table() {
    static const lists::CountedTable table({&member_list()});
    return table;
}

}  // namespace tradepost::stock
