#include "lists/source.h"

#include <algorithm>

namespace tradepost::lists {
namespace {

constexpr std::size_t most_walks = 16;

// The most matches that are sorted: entries of an index that has what they are sorted by, or rows that are looked up.
constexpr std::int64_t quickly_sorted = 5000, quickly_looked_up = 150;

// The chosen filter with the best index; null: none has one. `in_order`: of those that have the list's order. The others have nothing else
// in them, so that they are of use for a filter alone.
const Chosen* best_indexed(const Selection& selection, bool in_order) {
    const Chosen* best = nullptr;
    const bool alone = std::all_of(selection.chosen.begin(), selection.chosen.end(), [&](const auto& each) {
        return each.filter->index.name == selection.chosen[0].filter->index.name;
    });
    for (const auto& each : selection.chosen) {
        if (each.filter->index.name.empty() || (each.filter->index.unordered && (in_order || !alone))) continue;
        if (!best || each.filter->index.preference > best->filter->index.preference) best = &each;
    }
    return best;
}

// What `sort` names, if the rows are read in that order; else null.
const Order* read_by(const Selection& selection, Rows rows) {
    return rows == Rows::shown && !selection.few ? selection.sort : nullptr;
}

// The chosen filter whose index is read; null: that of the order.
const Chosen* walked(const Selection& selection, Rows rows) {
    return read_by(selection, rows) ? nullptr : best_indexed(selection, !selection.few);
}

void add(db::Sql& sql, const Chosen& chosen, std::string_view column) {
    const auto text = std::string(column);
    switch (chosen.filter->compare) {
        case Compare::folded:
        case Compare::id:
        case Compare::reference: {
            std::vector<db::Value> values;
            for (const auto& each : chosen.texts) values.emplace_back(db::Binary{each});
            sql.add_in(column, std::span<const db::Value>(values));
            break;
        }
        case Compare::code:
            sql.add_in(column, std::span<const std::string>(chosen.texts));
            break;
        case Compare::boolean:
            sql.add(text + " = ?", {chosen.number});
            break;
        case Compare::present:
            sql.add(text + (chosen.number ? " IS NOT NULL" : " IS NULL"));
            break;
        case Compare::at_least:
            sql.add(text + " >= ?", {chosen.number});
            break;
        case Compare::at_most:
            sql.add(text + " <= ?", {chosen.number});
            break;
        case Compare::from:
            sql.add(text + " >= ?", {core::Time(core::milliseconds(chosen.number))});
            break;
        case Compare::to:
            sql.add(text + " <= ?", {core::Time(core::milliseconds(chosen.number))});
            break;
    }
}

// What every row of the list has, and those with a value table too.
db::Sql scope_conditions(const Selection& selection, std::span<const core::Uuid> owners, Rows rows, core::Time now) {
    const auto& list = *selection.list;
    db::Sql sql;
    if (selection.is_public())
        sql.add("t.listed = 1");
    else
        sql.add_in("t." + std::string(list.scope), owners);
    if (list.hidden) sql.add(" AND ").add(rows == Rows::hidden ? list.hidden->hidden : list.hidden->shown, {now});
    return sql;
}

// Rows of a value table. A row with several of the values stands there several times.
Source value_source(const Selection& selection, const Chosen& chosen, std::span<const core::Uuid> owners, Rows rows,
                    core::Time now) {
    const auto& table = *chosen.filter->value_table;
    db::Sql sql(" FROM " + std::string(table.name) + " t FORCE INDEX (" + std::string(chosen.filter->index.name) + ") WHERE ");
    sql.add(scope_conditions(selection, owners, rows, now)).add(" AND ");
    add(sql, chosen, "t." + std::string(chosen.filter->column));
    const auto order = std::string(selection.list->order.column);
    if (chosen.texts.size() == 1) return {std::move(sql), table.id, false};
    db::Sql distinct(" FROM (SELECT DISTINCT t." + std::string(table.id.substr(2)) + ", t." + order);
    return {std::move(distinct.add(sql).add(") t WHERE TRUE")), table.id, false};
}

// The bounds of what the order's column is the negative of, by which its index is not read from the beginning.
db::Sql bounds(const Selection& selection, const Order& order) {
    db::Sql sql;
    for (const auto& each : selection.chosen) {
        if (!each.is_range() || each.filter->column != order.negates) continue;
        const bool lower = each.filter->compare == Compare::at_least;
        sql.add(" AND t." + std::string(order.column) + (lower ? " <= ?" : " >= ?"), {-each.number});
    }
    return sql;
}

db::Sql all_conditions(const Selection& selection, std::span<const core::Uuid> owners, Rows rows, core::Time now) {
    auto sql = scope_conditions(selection, owners, rows, now);
    for (const auto& each : selection.chosen) {
        const auto column = "t." + std::string(each.filter->column);
        sql.add(" AND ");
        if (const auto* table = each.filter->value_table) {
            sql.add("t.id IN (SELECT " + std::string(table->id) + " FROM " + std::string(table->name) + " t WHERE " +
                    (selection.is_public() ? "t.listed = 1 AND " : ""));
            add(sql, each, column);
            sql.add(")");
        } else {
            add(sql, each, column);
        }
    }
    if (const auto* order = read_by(selection, rows)) sql.add(bounds(selection, *order));
    if (selection.updated_since) sql.add(" AND t.updated_at >= ?", {*selection.updated_since});
    if (selection.updated_until) sql.add(" AND t.updated_at <= ?", {*selection.updated_until});
    return sql;
}

}  // namespace

db::Sql conditions(const Selection& selection, Rows rows, core::Time now) {
    return all_conditions(selection, selection.owners, rows, now);
}

std::string index_hint(const Selection& selection, Rows rows) {
    if (rows == Rows::hidden) return " FORCE INDEX (" + std::string(selection.list->hidden->index) + ")";
    const auto* chosen = walked(selection, rows);
    const auto* order = read_by(selection, rows);
    std::string name(selection.updated_since && !selection.list->poll.index.empty() ? selection.list->poll.index
                     : chosen && !chosen->filter->value_table                       ? chosen->filter->index.name
                     : order && !order->index.empty()                               ? order->index
                                                                                    : selection.list->order.index);
    return " FORCE INDEX (" + name + ")";
}

std::int64_t worth_sorting(const Selection& selection, db::Slice slice) {
    const bool has_other = std::any_of(selection.chosen.begin(), selection.chosen.end(),
                                       [](const auto& each) { return each.filter->index.unordered; });
    if (selection.chosen.empty() || (!selection.sort && (!has_other || best_indexed(selection, true)))) return 0;
    const auto* best = best_indexed(selection, false);
    // Without an index of its own all rows of the scope are read, but from an index; in order, four times as dear, some are.
    // The list's index has its order; that nothing matches is known from the total, and not from all of it.
    if (!best) return selection.sort ? 4 * (slice.offset + slice.limit) : 1;
    return best->filter->index.unordered ? quickly_looked_up : quickly_sorted;
}

Source source(const Selection& selection, Rows rows, core::Time now) {
    return source(selection, selection.owners, rows, now);
}

Source source(const Selection& selection, std::span<const core::Uuid> owners, Rows rows, core::Time now) {
    if (selection.is_public() && selection.chosen.size() == 1 && selection.chosen[0].filter->value_table)
        return value_source(selection, selection.chosen[0], owners, rows, now);
    db::Sql sql(" FROM " + std::string(selection.list->table) + " t" + index_hint(selection, rows) + " WHERE ");
    sql.add(all_conditions(selection, owners, rows, now));

    const auto& chosen = selection.chosen;
    const bool scope_alone = chosen.empty() && owners.size() <= 1 && !selection.order().index.empty();
    const bool one_value =
        !selection.sort && chosen.size() == 1 && chosen[0].texts.size() == 1 && chosen[0].filter->index.with_scope;
    return {std::move(sql), "t.id", !selection.updated_since && (scope_alone || one_value)};
}

std::vector<Selection> in_order(const Selection& selection) {
    std::vector<Selection> parts;
    if (selection.owners.size() > 1) {
        for (const auto& owner : selection.owners) {
            parts.push_back(selection);
            parts.back().owners = {owner};
        }
        return parts;
    }
    const auto* chosen = walked(selection, Rows::shown);
    if (!chosen || selection.few || chosen->filter->value_table || chosen->texts.size() < 2 || chosen->texts.size() > most_walks)
        return {selection};
    const auto at = std::size_t(chosen - selection.chosen.data());
    for (const auto& text : chosen->texts) {
        parts.push_back(selection);
        parts.back().chosen[at].texts = {text};
    }
    return parts;
}

}  // namespace tradepost::lists
