#include "repo/stock.h"

#include <algorithm>

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

}  // namespace

std::vector<OwnStock> Stock::kept_counts(std::span<const core::Uuid> organisation_ids, const StockFilter& filter) {
    std::string sql = "SELECT " + std::string(counts_are_complete());
    std::vector<db::Value> values{StockTable::name};
    std::vector<std::vector<FilterKey>> keys(organisation_ids.size());  // borrowed by the values
    for (std::size_t i = 0; i < organisation_ids.size(); ++i) {
        if (!counted_filters(filter, organisation_ids[i], keys[i])) return {};
        const auto sum = sum_of(StockTable::name, keys[i], std::vector<CountRange>{{all_rows, 0, 0}});
        sql += ", " + sum.sql;
        append(values, sum.values);
    }
    const auto row = connection_.query(sql, values).at(0);
    if (row.is_null(0)) return {};
    std::vector<OwnStock> counts;
    for (std::size_t i = 0; i < organisation_ids.size(); ++i) counts.push_back({organisation_ids[i], row.integer(1 + i)});
    return counts;
}

std::vector<OwnStock> Stock::count(std::span<const core::Uuid> organisation_ids, const StockFilter& filter) {
    if (organisation_ids.empty()) return {};
    if (auto kept = kept_counts(organisation_ids, filter); !kept.empty()) return kept;
    const auto where = conditions(filter);
    std::string sql;
    std::vector<db::Value> values;
    for (const auto& id : organisation_ids) {
        sql += (sql.empty() ? "SELECT ?, COUNT(*)" : " UNION ALL SELECT ?, COUNT(*)") + table(filter) + "? AND " + where.sql();
        append(values, {id, id});
        append(values, where.values());
    }
    std::vector<OwnStock> counts;
    for (const auto& row : connection_.query(sql, values)) counts.push_back({row.uuid(0), row.integer(1)});
    return counts;
}

// An index does not know how many rows lie before an entry; the counts do.
std::optional<OffsetStart> Stock::start_of(std::span<const OwnStock> counted, const StockFilter& filter, std::int64_t offset) {
    if (offset < worth_a_search) return {};
    std::vector<FilterKey> keys;
    for (const auto& own : counted)
        if (!counted_filters(filter, own.organisation_id, keys)) return {};
    return find_offset(connection_, StockTable::name, keys, creations, {}, offset);
}

std::vector<domain::StockItem> Stock::page(std::span<const OwnStock> counted, const StockFilter& filter, Slice slice) {
    // The page's ids come from the index alone; only they are looked up. Of each organisation no more is read than the page can
    // show.
    auto where = conditions(filter);
    if (const auto start = start_of(counted, filter, slice.offset)) {
        where.add("t.created_at < ?", {start->before});
        slice.offset -= start->skipped;
    }
    const auto branches = std::count_if(counted.begin(), counted.end(), [](const auto& own) { return own.total > 0; });
    std::string ids;
    std::vector<db::Value> values;
    for (const auto& own : counted) {
        if (own.total == 0) continue;
        if (!ids.empty()) ids += " UNION ALL ";
        ids += "(SELECT t.id, t.created_at" + table(filter) + "? AND " + where.sql() +
               " ORDER BY t.created_at DESC, t.id DESC LIMIT ? OFFSET ?)";
        values.emplace_back(own.organisation_id);
        append(values, branches == 1 ? where.values({slice.limit, slice.offset})
                                     : where.values({std::min(slice.offset + slice.limit, own.total), 0}));
    }
    if (branches == 0) return {};
    if (branches > 1) {
        ids += " ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?";
        append(values, {slice.limit, slice.offset});
    }
    std::vector<domain::StockItem> items;
    const auto rows =
        connection_.query("SELECT STRAIGHT_JOIN " + stock_columns() + " FROM (" + ids +
                              ") k JOIN stock_items t FORCE INDEX (PRIMARY) ON t.id = k.id ORDER BY t.created_at DESC, t.id DESC",
                          values);
    items.reserve(rows.size());
    for (const auto& row : rows) items.push_back(read_stock_item(row));
    add_images(connection_, items);
    return items;
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
