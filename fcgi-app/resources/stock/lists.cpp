#include "resources/stock/lists.h"

#include "resource/rows.h"
#include "resources/stock/attachments.h"

namespace tradepost::stock {
namespace {

using lists::Compare;

// Prices in buckets of about 10,000 and 10 whole units, and exactly. Levels of changes are about 50 days, 9 hours and 4 minutes wide.
constexpr int price_shifts[] = {20, 10, 0}, year_shifts[] = {0}, update_shifts[] = {32, 25, 18};
constexpr counts::Range ranges[] = {
    {.column = "price", .histogram = counts::Histogram(6, price_shifts), .rows_with_value = 5, .most_letters = 1},
    {.column = "year", .histogram = counts::Histogram(10, year_shifts), .rows_with_value = 9, .most_letters = 1},
    {.column = "updated_at", .histogram = counts::Histogram(11, update_shifts), .is_time = true},
};

// clang-format off
constexpr auto sparse = counts::Detail::sparse;
constexpr counts::Letter letters[] = {
    {.letter = 's', .column = "status"},
    {.letter = 'a', .column = "availability"},
    {.letter = 'm', .column = "make_key",       .detail = sparse},
    {.letter = 'd', .column = "model_key",      .detail = sparse},
    {.letter = 'c', .column = "category_key",   .detail = sparse},
    {.letter = 'n', .column = "item_condition", .detail = sparse},
    {.letter = 'i', .column = "has_images", .kind = counts::Kind::number, .detail = sparse},
};
constexpr counts::Facet facets[] = {
    {.name = "status",       .measure = 104, .column = "status"},
    {.name = "availability", .measure = 105, .column = "availability"},
    {.name = "make",         .measure = 101, .column = "make",     .folded = true},
    {.name = "model",        .measure = 102, .column = "model",    .folded = true},
    {.name = "category",     .measure = 100, .column = "category", .folded = true},
    {.name = "condition",    .measure = 103, .column = "item_condition"},
};

constexpr lists::Filter filters[] = {
    {.parameter = "status",       .compare = Compare::code,      .column = "status"},
    {.parameter = "availability", .compare = Compare::code,      .column = "availability"},
    {.parameter = "reference",    .compare = Compare::reference, .column = "reference",    .index = {"stock_items_reference", 4}},
    {.parameter = "make",         .compare = Compare::folded,    .column = "make_key",     .index = {"stock_items_make", 2, true}},
    {.parameter = "model",        .compare = Compare::folded,    .column = "model_key",    .index = {"stock_items_model", 3, true}},
    {.parameter = "category",     .compare = Compare::folded,    .column = "category_key", .index = {"stock_items_category", 1, true}},
    {.parameter = "condition",    .compare = Compare::code,      .column = "item_condition"},
    {.parameter = "hasImages",    .compare = Compare::boolean,   .column = "has_images"},
    {.parameter = "priceMin",     .compare = Compare::at_least,  .column = "price", .index = {.name = "stock_items_price", .unordered = true}},
    {.parameter = "priceMax",     .compare = Compare::at_most,   .column = "price", .index = {.name = "stock_items_price", .unordered = true}, .not_below = "priceMin"},
    {.parameter = "yearMin",      .compare = Compare::at_least,  .column = "year",  .index = {.name = "stock_items_year", .unordered = true}},
    {.parameter = "yearMax",      .compare = Compare::at_most,   .column = "year",  .index = {.name = "stock_items_year", .unordered = true},  .not_below = "yearMin"},
    {.parameter = "createdTo",    .compare = Compare::to,        .column = "created_at"},
};
constexpr lists::Order orders[] = {
    {.name = "updated", .column = "updated_at", .index = "stock_items_poll"},
    {.name = "-price",  .column = "price",      .index = "stock_items_price"},
    {.name = "price",   .column = "price_up",   .index = "stock_items_price_up", .negates = "price"},
    {.name = "-year",   .column = "year",       .index = "stock_items_year"},
    {.name = "year",    .column = "year_up",    .index = "stock_items_year_up",  .negates = "year"},
};
// clang-format on
constexpr std::string_view added_later[] = {"make_key", "model_key", "category_key", "has_images", "price_up", "year_up"};

void write_items(json::Writer& writer, db::Rows& rows) {
    for (const auto& item : read_items(rows)) resource::write(writer, item);
}

}  // namespace

const lists::List& member_list() {
    static const lists::List list{
        .collection = "stock",
        .table = "stock_items",
        .scope = "organisation_id",
        .order = {.column = "created_at", .index = "stock_items_list"},
        .orders = orders,
        .filters = filters,
        .derived = added_later,
        .counts = {.owner = 'o',
                   .letters = letters,
                   .most_letters = 2,
                   .by_order = std::span(&counts::creations, 1),
                   .ranges = ranges,
                   .facets = facets,
                   .most_letters_of_facets = 0},
        .searched = &words,
        .poll = resource::poll<StockItem>(),
        .items = {columns_with_attachments(), joined_attachments, false, write_items},
    };
    return list;
}

}  // namespace tradepost::stock
