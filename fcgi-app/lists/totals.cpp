#include "lists/totals.h"

#include <list>

#include "http/error.h"
#include "lists/source.h"

namespace tradepost::lists {
namespace {

// Of rows whose columns are not filled in yet, some would be missing without anybody's noticing.
void require_derived(const std::optional<std::int64_t>& scheme) {
    if (scheme != counting_scheme)
        throw http::service_unavailable("columns of filters are not filled in: run tradepostctl recount");
}

db::Sql counted_rows(const Selection& selection, Rows rows, core::Time now) {
    if (selection.owners.size() < 2) return db::Sql("(SELECT COUNT(*)").add(source(selection, rows, now).from).add(")");
    // Of each owner by itself, because the optimizer would read more of the index for all of them together.
    db::Sql sum("(");
    for (const auto& owner : selection.owners)
        sum.add(&owner == &selection.owners[0] ? "(SELECT COUNT(*)" : " + (SELECT COUNT(*)")
            .add(source(selection, std::span(&owner, 1), rows, now).from)
            .add(")");
    return sum.add(")");
}

}  // namespace

TotalColumns::TotalColumns(const Selection& selection, core::Time now)
    : needs_derived_(selection.needs_derived()), hidden_(selection.list->hidden) {
    auto keys = count_keys(selection);
    kept_ = keys.has_value();
    if (kept_ || needs_derived_) sql_.add(complete_scheme(), {selection.list->table}).add(", ");
    if (kept_) {
        keys_ = std::move(*keys);
        sql_.add(kept_sum(selection, keys_));
    } else {
        sql_.add(counted_rows(selection, Rows::counted, now));
    }
    if (!hidden_) return;
    sql_.add(", ").add(selection.list->hidden->next, {now});
    if (kept_) sql_.add(", ").add(counted_rows(selection, Rows::hidden, now));
}

std::optional<Total> TotalColumns::read(const db::Row& row, std::size_t first) const {
    Total total;
    if (needs_derived_) require_derived(row.opt_integer(first));
    if (!kept_) {
        if (needs_derived_) ++first;
        total.rows = row.integer(first);
        if (hidden_) total.valid_until = row.opt_time(first + 1);
        return total;
    }
    if (row.opt_integer(first) != counting_scheme) return {};
    total.rows = row.integer(first + 1);
    if (!hidden_) return total;
    total.valid_until = row.opt_time(first + 2);
    total.hidden = row.integer(first + 3);
    total.rows -= total.hidden;
    return total;
}

void require_derived(db::Connection& connection, const Selection& selection) {
    if (!selection.needs_derived()) return;
    const auto row = connection.query("SELECT " + std::string(complete_scheme()), {selection.list->table}).at(0);
    require_derived(row.opt_integer(0));
}

Total total_of(db::Connection& connection, const Selection& selection, core::Time now) {
    const TotalColumns columns(selection, now);
    if (const auto total = columns.read(connection.query(db::Sql("SELECT ").add(columns.sql())).at(0), 0)) return *total;
    db::Sql counted("SELECT ");
    counted.add(counted_rows(selection, Rows::counted, now));
    if (selection.list->hidden) counted.add(", ").add(selection.list->hidden->next, {now});
    const auto row = connection.query(counted).at(0);
    return {row.integer(0), selection.list->hidden ? row.opt_time(1) : std::nullopt};
}

std::vector<Total> totals_of(db::Connection& connection, std::span<const Selection> selections, core::Time now) {
    std::list<TotalColumns> all;
    db::Sql sql("SELECT ");
    for (const auto& selection : selections) sql.add(all.empty() ? "" : ", ").add(all.emplace_back(selection, now).sql());
    const auto row = connection.query(sql).at(0);
    std::vector<Total> totals;
    std::size_t at = 0;
    for (const auto& columns : all) {
        const auto total = columns.read(row, at);
        totals.push_back(total ? *total : total_of(connection, selections[totals.size()], now));
        at += columns.width();
    }
    return totals;
}

}  // namespace tradepost::lists
