#include "repo/stock.h"

#include <algorithm>
#include <tuple>

#include "repo/conditions.h"
#include "repo/stock_counts.h"
#include "repo/stock_row.h"
#include "repo/time_counts.h"

namespace tradepost::repo {
namespace {

Conditions conditions(const StockFilter& filter) {
    Conditions where;
    where.add_texts("t.reference", filter.references);
    if (filter.updated_since) where.add("t.updated_at >= ?", {*filter.updated_since});
    if (filter.updated_until) where.add("t.updated_at <= ?", {*filter.updated_until});
    where.add_texts("t.status", filter.statuses);
    where.add_texts("t.availability", filter.availabilities);
    return where;
}

// Left to itself the optimizer may read the whole table, or sort what an index has in order.
std::string table(const StockFilter& filter) {
    const char* index = !filter.references.empty() ? "reference" : filter.updated_since ? "poll" : "list";
    return " FROM stock_items t FORCE INDEX (stock_items_" + std::string(index) + ") WHERE t.organisation_id = ";
}

void append(std::vector<db::Value>& to, const std::vector<db::Value>& values) {
    to.insert(to.end(), values.begin(), values.end());
}

// The filters whose counts add up to what matches; empty when nobody keeps them.
std::vector<FilterKey> kept(std::span<const core::Uuid> organisation_ids, const StockFilter& filter) {
    std::vector<FilterKey> keys;
    for (const auto& id : organisation_ids)
        if (!counted_filters(filter, id, keys)) return {};
    return keys;
}

// How many match, as an expression: what the writers keep under `keys`, or while that is not complete, or nobody keeps it, the
// number of rows.
std::string total_of(std::span<const core::Uuid> organisation_ids, const StockFilter& filter, const Conditions& where,
                     const std::vector<FilterKey>& keys, std::vector<db::Value>& values) {
    std::string total;
    if (!keys.empty()) {
        const auto sum = sum_of(StockTable::name, keys, std::vector<CountRange>{{all_rows, 0, 0}});
        total = std::string(counts_are_complete()) + " * " + sum.sql + ", ";
        values.emplace_back(StockTable::name);
        append(values, sum.values);
    }
    std::string rows;
    for (const auto& id : organisation_ids) {
        rows += (rows.empty() ? "(SELECT COUNT(*)" : " + (SELECT COUNT(*)") + table(filter) + "? AND " + where.sql() + ")";
        values.emplace_back(id);
        append(values, where.values());
    }
    return keys.empty() ? rows : "COALESCE(" + total + rows + ")";
}

// The page's ids, from the index alone. Of each organisation no more is read than the page can show.
std::string ids_of(std::span<const core::Uuid> organisation_ids, const StockFilter& filter, const Conditions& where, Slice slice,
                   std::vector<db::Value>& values) {
    const bool one = organisation_ids.size() == 1;
    std::string ids;
    for (const auto& id : organisation_ids) {
        if (!ids.empty()) ids += " UNION ALL ";
        ids += "(SELECT t.id, t.created_at" + table(filter) + "? AND " + where.sql() +
               " ORDER BY t.created_at DESC, t.id DESC LIMIT ? OFFSET ?)";
        values.emplace_back(id);
        append(values, one ? where.values({slice.limit, slice.offset}) : where.values({slice.offset + slice.limit, 0}));
    }
    if (one) return ids;
    append(values, {slice.limit, slice.offset});
    return ids + " ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?";
}

}  // namespace

// An index does not know how many rows lie before an entry; the counts do.
std::optional<OffsetStart> Stock::start_of(std::span<const FilterKey> keys, std::int64_t offset) {
    if (offset < worth_a_search || keys.empty()) return {};
    return find_offset(connection_, StockTable::name, keys, creations, {}, offset);
}

// Items, images and the total come as one table: a round trip costs more than what is joined. It is sorted here, for the server
// would put texts of any length into a temporary table to do so.
StockPage Stock::list(std::span<const core::Uuid> organisation_ids, const StockFilter& filter, Slice slice,
                      std::optional<std::int64_t> total) {
    if (organisation_ids.empty() || (total && slice.offset >= *total)) return {{}, total.value_or(0)};
    auto where = conditions(filter);  // lends its values, as `keys` do
    const auto keys = kept(organisation_ids, filter);
    std::vector<db::Value> values;
    if (!total && slice.offset >= worth_a_search) {
        // So far on it is better to know first whether there is anything.
        const auto alone = "SELECT " + total_of(organisation_ids, filter, where, keys, values);
        total = connection_.query(alone, values).at(0).integer(0);
        if (slice.offset >= *total) return {{}, *total};
        values.clear();
    }
    const auto counted = total ? std::to_string(*total) : total_of(organisation_ids, filter, where, keys, values);
    if (const auto start = start_of(keys, slice.offset)) {
        where.add("t.created_at < ?", {start->before});
        slice.offset -= start->skipped;
    }
    const auto ids = ids_of(organisation_ids, filter, where, slice, values);
    const auto rows = connection_.query(
        "SELECT STRAIGHT_JOIN " + stock_columns_with_images() + ", c.total FROM (SELECT " + counted + " AS total) c LEFT JOIN (" +
            ids + ") k ON TRUE LEFT JOIN stock_items t FORCE INDEX (PRIMARY) ON t.id = k.id" + stock_images(),
        values);
    StockPage page{read_stock_items(rows), rows.at(0).integer(rows[0].columns() - 1)};
    std::sort(page.items.begin(), page.items.end(),
              [](const auto& a, const auto& b) { return std::tie(a.created_at, a.id) > std::tie(b.created_at, b.id); });
    return page;
}

std::optional<domain::StockItem> Stock::find(const core::Uuid& user_id, const core::Uuid& id) {
    const auto rows = connection_.query("SELECT " + stock_columns() +
                                            " FROM stock_items t FORCE INDEX (PRIMARY) JOIN memberships m FORCE INDEX (PRIMARY)"
                                            " ON m.organisation_id = t.organisation_id AND m.user_id = ? WHERE t.id = ?",
                                        {user_id, id});
    if (rows.empty()) return {};
    auto item = read_stock_item(rows[0]);
    add_images(connection_, std::span(&item, 1));
    return item;
}

}  // namespace tradepost::repo
