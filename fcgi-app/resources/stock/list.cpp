#include "resources/stock/list.h"

#include "lists/horizon.h"
#include "lists/selection.h"
#include "lists/time_counts.h"
#include "resources/stock/json.h"
#include "resources/stock/rows.h"

namespace tradepost::stock {
namespace {

using lists::Compare;

// clang-format off
constexpr lists::Filter filters[] = {
    {.parameter = "status",       .compare = Compare::code, .column = "status",       .count = 's'},
    {.parameter = "availability", .compare = Compare::code, .column = "availability", .count = 'a'},
    {.parameter = "reference",    .compare = Compare::text, .column = "reference",    .index = {"stock_items_reference", 1}},
};
// clang-format on

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
        .filters = filters,
        .most_terms = 2,
        .by_order = std::span(&lists::creations, 1),
        .poll_index = "stock_items_poll",
        .horizon = horizon,
        .columns = columns_with_images(),
        .joins = joined_images,
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
