#include "lists/counting.h"

#include <algorithm>
#include <array>
#include <set>
#include <stdexcept>

#include "core/text.h"
#include "json/texts.h"
#include "lists/facet_texts.h"

namespace tradepost::lists {
namespace {

// Without a letter for the owner its rows would count as everybody's.
bool is_counted(const List& list) {
    return list.scope == listed || list.scope_count;
}

// Keys of one selection are as many as there are combinations of its values; more are not worth it.
constexpr std::size_t most_keys = 64;

std::string_view counted_column(const Filter& filter) {
    return filter.counted_column.empty() ? filter.column : filter.counted_column;
}

// `few_rows` is about pairs: each has no histogram when one of its filters is soon walked.
const Histogram* histogram(const List& list, std::size_t terms, bool few_rows, bool sparse) {
    if (list.by_order.empty() || (terms > 1 && (few_rows || sparse))) return nullptr;
    if (sparse) return list.by_order_of_sparse;
    return &list.by_order[std::min(terms, list.by_order.size() - 1)];
}

// Hands every combination of at most `most` of the terms from `first` on, each in their order, to `use`.
struct CountedTerm {
    const Filter* filter;
    std::string_view value;
};
bool any_sparse(const std::vector<CountedTerm>& terms) {
    return std::any_of(terms.begin(), terms.end(), [](const auto& term) { return term.filter->sparse; });
}
void combine(const std::vector<CountedTerm>& all, std::size_t first, std::size_t most, std::vector<CountedTerm>& chosen,
             const std::function<void(const std::vector<CountedTerm>&)>& use) {
    use(chosen);
    if (chosen.size() == most) return;
    for (std::size_t i = first; i < all.size(); ++i) {
        if (!chosen.empty() && chosen.back().filter == all[i].filter) continue;  // another value of the same row
        if (all[i].filter->sparse && any_sparse(chosen)) continue;
        chosen.push_back(all[i]);
        combine(all, i + 1, most, chosen, use);
        chosen.pop_back();
    }
}

void count_ranges(CountChanges& changes, const List& list, const FilterKey& key, std::size_t terms,
                  const std::function<std::optional<std::int64_t>(std::string_view)>& number, std::int64_t n) {
    std::set<std::uint8_t> measures;
    for (const auto& range : list.ranges) {
        if (terms > range.most_terms) continue;
        const auto value = number(range.column);
        if (!value) continue;
        if (range.rows_with_value && measures.insert(*range.rows_with_value).second)
            changes.add({key, *range.rows_with_value, 0}, n);
        range.histogram.add(changes, key, std::uint64_t(std::max<std::int64_t>(0, *value)), n);
    }
}

}  // namespace

CountedTable::CountedTable(std::vector<const List*> lists) : lists_(std::move(lists)) {
    for (const auto* list : lists_) {
        if (!is_counted(*list)) continue;
        add(list->scope, list->scope == listed ? Kind::number : Kind::text);
        for (const auto& filter : list->filters)
            if (filter.count) add(counted_column(filter), kind_of(filter));
        for (const auto& filter : list->filters)
            if (filter.facet) add(written_column(filter), filter.value_table ? Kind::texts : Kind::text);
        if (!list->by_order.empty()) add(list->order, Kind::time);
        for (const auto& range : list->ranges) add(range.column, range.is_time ? Kind::time : Kind::number);
    }
    for (const auto& column : columns_) names_.append(names_.empty() ? "" : ", ").append(column.name);
}

CountedTable::Kind CountedTable::kind_of(const Filter& filter) {
    if (filter.compare == Compare::boolean) return Kind::number;
    return filter.counted_column.empty() ? Kind::text : Kind::texts;
}

void CountedTable::add(std::string_view name, Kind kind) {
    const auto known = std::find_if(columns_.begin(), columns_.end(), [&](const auto& column) { return column.name == name; });
    if (known == columns_.end()) columns_.push_back({name, kind});
}

CountedRow CountedTable::read(const db::Row& row, std::size_t first) const {
    CountedRow cells;
    for (const auto& column : columns_) {
        auto& cell = cells.emplace_back();
        const auto at = first++;
        if (row.is_null(at)) continue;
        switch (column.kind) {
            case Kind::text:
                cell.texts = {row.text(at)};
                break;
            case Kind::texts:
                cell.texts = json::parse_texts(row.text(at));
                break;
            case Kind::number:
                cell.number = row.integer(at);
                break;
            case Kind::time:
                cell.number = row.time(at).time_since_epoch().count();
                break;
        }
    }
    return cells;
}

CountedRow CountedTable::of(const std::function<Cell(std::string_view column)>& value) const {
    CountedRow cells;
    for (const auto& column : columns_) cells.push_back(value(column.name));
    return cells;
}

std::size_t CountedTable::place(std::string_view column) const {
    const auto at = std::find_if(columns_.begin(), columns_.end(), [&](const auto& each) { return each.name == column; });
    if (at == columns_.end()) throw std::logic_error(std::string(name()) + " is not counted by " + std::string(column));
    return std::size_t(at - columns_.begin());
}

void CountedTable::count(CountChanges& changes, const CountedRow& row, std::int64_t n) const {
    // Those of rows that no list shows, too: the search has them.
    if (n > 0)
        for (const auto& filter : lists_[0]->filters)
            if (filter.facet)
                for (const auto& text : facet_texts(filter, cell(row, written_column(filter)).texts)) changes.add_value(text);
    for (const auto* list : lists_)
        if (is_counted(*list)) count(changes, *list, row, n);
}

void CountedTable::count(CountChanges& changes, const List& list, const CountedRow& row, std::int64_t n) const {
    const auto& scope = cell(row, list.scope);
    if (list.scope == listed ? scope.number != 1 : scope.texts.empty()) return;
    std::vector<CountedTerm> terms;
    std::vector<std::set<std::string>> kept;  // what the terms borrow, each value once
    kept.reserve(list.filters.size());
    for (const auto& filter : list.filters) {
        if (!filter.count) continue;
        const auto& [texts, flag] = cell(row, counted_column(filter));
        auto& values = kept.emplace_back();
        for (const auto& text : texts) values.insert(filter.value_table ? core::fold_key(text) : text);
        if (flag) values.insert(std::to_string(*flag));
        for (const auto& value : values)
            if (!value.empty()) terms.push_back({&filter, value});
    }
    std::vector<std::pair<std::uint8_t, std::uint64_t>> facets;
    if (list.most_terms_of_facets)
        for (const auto& filter : list.filters)
            if (filter.facet)
                for (const auto& text : facet_texts(filter, cell(row, written_column(filter)).texts))
                    facets.emplace_back(filter.facet, facet_id(text));
    const auto order = list.by_order.empty() ? std::nullopt : cell(row, list.order).number;
    const auto number = [&](std::string_view column) { return cell(row, column).number; };
    std::vector<CountedTerm> chosen;
    combine(terms, 0, list.most_terms, chosen, [&](const std::vector<CountedTerm>& some) {
        std::vector<Term> named;
        if (list.scope_count) named.push_back({list.scope_count, scope.texts[0]});
        for (const auto& [filter, value] : some) named.push_back({filter->count, value});
        const auto key = filter_key(named);
        changes.add({key, all_rows, 0}, n);
        const bool few = std::any_of(some.begin(), some.end(), [](const auto& term) { return term.filter->few_rows; });
        const bool sparse = any_sparse(some);
        if (const auto* by_order = histogram(list, some.size(), few, sparse); by_order && order)
            by_order->add(changes, key, counted_time(core::Time(core::milliseconds(*order))), n);
        if (!sparse) count_ranges(changes, list, key, some.size(), number, n);
        if (list.most_terms_of_facets && some.size() <= *list.most_terms_of_facets)
            for (const auto& [measure, id] : facets) changes.add({key, measure, id}, n);
    });
}

std::optional<std::vector<FilterKey>> count_keys(const Selection& selection) {
    const auto& list = *selection.list;
    if (selection.search || selection.updated_since || !is_counted(list)) return {};
    std::vector<const Chosen*> terms;
    const CountedRange* range = nullptr;
    std::size_t combinations = 1, most_terms = list.most_terms, sparse = 0;
    for (const auto& each : selection.chosen) {
        if (each.is_range()) {
            if (!each.filter->range) return {};
            // Rows of before 1970 are counted as one moment.
            if (each.filter->compare >= Compare::from && each.number <= 0) return {};
            // A row may be outside of two unlike ranges: it would be subtracted twice.
            if (range && range->rows_with_value != each.filter->range->rows_with_value) return {};
            range = each.filter->range;
            most_terms = std::min(most_terms, range->most_terms);
            continue;
        }
        if (!each.filter->count || (each.filter->value_table && each.texts.size() > 1)) return {};
        sparse += each.filter->sparse;
        combinations *= each.is_boolean() ? 1 : each.texts.size();
        if (combinations > most_keys) return {};
        terms.push_back(&each);
    }
    if (terms.size() > most_terms || sparse > 1 || (sparse > 0 && range)) return {};

    std::vector<std::vector<Term>> named{{}};
    const auto multiply = [&named](char field, const auto& values, const auto& text) {
        std::vector<std::vector<Term>> all;
        for (const auto& before : named)
            for (const auto& value : values) {
                all.push_back(before);
                all.back().push_back({field, text(value)});
            }
        named = std::move(all);
    };
    if (list.scope_count) multiply(list.scope_count, selection.owners, [](const auto& id) { return id.bytes(); });
    for (const auto* each : terms) {
        if (each->is_boolean())
            multiply(each->filter->count, std::array{each->number ? "1" : "0"}, [](const char* text) { return text; });
        else
            multiply(each->filter->count, each->texts, [](const auto& text) { return std::string_view(text); });
    }
    std::vector<FilterKey> keys;
    for (const auto& each : named) keys.push_back(filter_key(each));
    return keys;
}

const Histogram* order_histogram(const Selection& selection) {
    bool few = false, sparse = false;
    for (const auto& each : selection.chosen) {
        if (each.is_range()) return nullptr;
        few = few || each.filter->few_rows;
        sparse = sparse || each.filter->sparse;
    }
    if (!selection.sort) return histogram(*selection.list, selection.chosen.size(), few, sparse);
    const auto* counted = selection.sort->counted;
    return counted && !sparse && selection.chosen.size() <= counted->most_terms ? &counted->histogram : nullptr;
}

db::Sql kept_sum(const Selection& selection, std::span<const FilterKey> keys) {
    // A row is outside of two bounds of one range on one side at most, because its own range does not end before it begins.
    CountRange all{all_rows, 0, 0};
    std::vector<CountRange> outside;
    for (const auto& each : selection.chosen) {
        if (!each.is_range()) continue;
        const auto& range = *each.filter->range;
        if (range.rows_with_value) all.measure = *range.rows_with_value;
        const bool lower = each.filter->compare == Compare::at_least || each.filter->compare == Compare::from;
        const auto bound = std::uint64_t(each.number);
        for (const auto& part : lower ? range.histogram.below(bound) : range.histogram.above(bound)) outside.push_back(part);
    }
    return sum_of(selection.list->table, keys, std::span(&all, 1), outside);
}

}  // namespace tradepost::lists
