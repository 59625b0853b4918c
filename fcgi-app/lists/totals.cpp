#include "lists/totals.h"

#include <algorithm>
#include <list>

#include "http/error.h"
#include "lists/source.h"

namespace tradepost::lists {
namespace {

// A selection has as many keys as there are combinations of its values; more are not worth it.
constexpr std::size_t most_keys = 64;

// The letter by which the filter's values are terms; null: its rows are counted one by one.
const counts::Letter* letter_of(const List& list, const Filter& filter) {
    using enum Compare;
    if (filter.compare == reference || filter.compare > boolean) return nullptr;
    for (const auto& letter : list.counts.letters)
        if (letter.column == filter.own_column()) return &letter;
    return nullptr;
}

// Of rows whose columns are not filled in yet, some would be missing without anybody's noticing.
void require_derived(const std::optional<std::int64_t>& scheme) {
    if (scheme != counts::counting_scheme)
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

// A subquery for the sum of the kept counts: the number of selected rows, hidden ones included. Borrows `keys`, the result of count_keys().
db::Sql kept_sum(const Selection& selection, std::span<const counts::Key> keys) {
    // A row can violate only one bound of a range, because its own range does not end before it begins. So none is subtracted twice.
    counts::Buckets all{counts::all_rows, 0, 0};
    std::vector<counts::Buckets> outside;
    for (const auto& each : selection.chosen) {
        if (!each.is_range()) continue;
        const auto& range = *selection.list->counts.range(each.filter->column);
        if (range.rows_with_value) all.measure = *range.rows_with_value;
        const bool lower = each.filter->compare == Compare::at_least || each.filter->compare == Compare::from;
        const auto bound = std::uint64_t(each.number);
        for (const auto& part : lower ? range.histogram.below(bound) : range.histogram.above(bound)) outside.push_back(part);
    }
    return counts::sum_of(selection.list->table, keys, std::span(&all, 1), outside);
}

}  // namespace

std::optional<std::vector<counts::Key>> count_keys(const Selection& selection) {
    const auto& list = *selection.list;
    const auto& kept = list.counts;
    if (selection.search || selection.updated_since || (!selection.is_public() && !kept.owner)) return {};
    std::vector<std::pair<const counts::Letter*, const Chosen*>> terms;
    const counts::Range* range = nullptr;
    std::size_t combinations = 1, most_letters = kept.most_letters, sparse = 0;
    for (const auto& each : selection.chosen) {
        if (each.is_range()) {
            const auto* counted = kept.range(each.filter->column);
            if (!counted) return {};
            // Rows of before 1970 are counted as one moment.
            if (each.filter->compare >= Compare::from && each.number <= 0) return {};
            // A row may be outside of two unlike ranges: it would be subtracted twice.
            if (range && range->rows_with_value != counted->rows_with_value) return {};
            range = counted;
            most_letters = std::min(most_letters, range->most_letters);
            continue;
        }
        const auto* letter = letter_of(list, *each.filter);
        if (!letter || (each.filter->value_table && each.texts.size() > 1)) return {};
        sparse += letter->detail == counts::Detail::sparse;
        combinations *= each.is_boolean() ? 1 : each.texts.size();
        if (combinations > most_keys) return {};
        terms.emplace_back(letter, &each);
    }
    std::sort(terms.begin(), terms.end());
    const bool twice = std::adjacent_find(terms.begin(), terms.end(),
                                          [](const auto& a, const auto& b) { return a.first == b.first; }) != terms.end();
    if (twice || terms.size() > most_letters || sparse > 1 || (sparse > 0 && range)) return {};

    std::vector<std::vector<counts::Term>> named{{}};
    const auto multiply = [&named](char field, const auto& values, const auto& text) {
        std::vector<std::vector<counts::Term>> all;
        for (const auto& before : named)
            for (const auto& value : values) {
                all.push_back(before);
                all.back().push_back({field, text(value)});
            }
        named = std::move(all);
    };
    if (kept.owner) multiply(kept.owner, selection.owners, [](const auto& id) { return id.bytes(); });
    for (const auto& [letter, each] : terms) {
        if (each->is_boolean())
            multiply(letter->letter, std::array{each->number ? "1" : "0"}, [](const char* text) { return text; });
        else
            multiply(letter->letter, each->texts, [](const auto& text) { return std::string_view(text); });
    }
    std::vector<counts::Key> keys;
    for (const auto& each : named) keys.push_back(counts::key_of(each));
    return keys;
}

std::optional<counts::Histogram> order_histogram(const Selection& selection) {
    const auto& kept = selection.list->counts;
    auto least = counts::Detail::full;
    for (const auto& each : selection.chosen) {
        if (each.is_range()) return {};
        if (const auto* letter = letter_of(*selection.list, *each.filter)) least = std::max(least, letter->detail);
    }
    const auto number = selection.chosen.size();
    if (!selection.sort && !kept.by_order.empty()) return kept.order(number, least);
    const auto* range = kept.range(selection.order().values());
    if (!range || least == counts::Detail::sparse || number > range->most_letters) return {};
    return range->histogram;
}

TotalColumns::TotalColumns(const Selection& selection, core::Time now)
    : needs_derived_(selection.needs_derived()), hidden_(selection.list->hidden) {
    auto keys = count_keys(selection);
    kept_ = keys.has_value();
    if (kept_ || needs_derived_) sql_.add(counts::complete_scheme(), {selection.list->table}).add(", ");
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
    if (row.opt_integer(first) != counts::counting_scheme) return {};
    total.rows = row.integer(first + 1);
    if (!hidden_) return total;
    total.valid_until = row.opt_time(first + 2);
    total.hidden = row.integer(first + 3);
    total.rows -= total.hidden;
    return total;
}

void require_derived(db::Connection& connection, const Selection& selection) {
    if (!selection.needs_derived()) return;
    const auto row = connection.query("SELECT " + std::string(counts::complete_scheme()), {selection.list->table}).at(0);
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
