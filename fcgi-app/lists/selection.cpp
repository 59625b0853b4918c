#include "lists/selection.h"

#include <algorithm>

#include "core/present.h"
#include "core/text.h"
#include "http/error.h"
#include "lists/horizon.h"

namespace tradepost::lists {
namespace {

constexpr std::size_t longest_q = 200;  // code points

// Throws 400 for a repeated or too long q and for what the grammar refuses.
void read_search(const http::Query& query, Selection& selection) {
    const auto q = query.filter("q");
    if (!q) return;
    if (core::code_points(*q) > longest_q)
        throw http::invalid_query("q", "must have at most " + std::to_string(longest_q) + " characters");
    try {
        selection.search = search::parse(*q);
    } catch (const search::SyntaxError&) {
        throw http::invalid_search();
    }
    selection.q = *q;
}

// "newest, price or -price".
std::string names_of_orders(const Selection& selection) {
    std::vector<std::string_view> names{newest};
    for (const auto& order : selection.list->orders) names.push_back(order.name);
    if (selection.search) names.push_back(relevance);
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text.append(i == 0 ? "" : i + 1 == names.size() ? " or " : ", ").append(names[i]);
    return text;
}

// Throws 400 for an order that the list does not have.
void read_sort(const http::Query& query, Selection& selection) {
    selection.by_relevance = selection.search.has_value();
    if (selection.list->orders.empty()) return;
    const auto name = query.filter("sort");
    if (!name || (*name == relevance && selection.search)) return;
    selection.by_relevance = false;
    if (*name == newest) return;
    for (const auto& order : selection.list->orders)
        if (order.name == *name) selection.sort = &order;
    if (!selection.sort) throw http::invalid_query("sort", "must be " + names_of_orders(selection));
}

// A code in upper case; empty for what is no code. Columns compare without trailing spaces, so a space must not get that far.
std::string code(std::string_view value) {
    std::string word = core::fold(value);
    for (char& c : word) {
        if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
        const bool fits = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        if (!fits) return {};
    }
    return word;
}

// Each once, without those that no column holds.
std::vector<std::string> read_texts(const Filter& filter, const std::vector<std::string_view>& values) {
    std::vector<std::string> texts;
    for (const auto value : values) {
        if (filter.compare == Compare::reference) {
            const auto forms = core::reference_forms(value);
            texts.insert(texts.end(), forms.begin(), forms.end());
        } else {
            texts.push_back(filter.compare == Compare::folded ? core::fold_key(value) : code(value));
        }
    }
    std::sort(texts.begin(), texts.end());
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    std::erase(texts, "");
    return texts;
}

// A date is its first millisecond as a lower bound, its last one as an upper bound.
core::Time read_time(const http::Query& query, std::string_view name, bool upper) {
    const auto text = core::present(query.filter(name));
    if (const auto date = core::parse_date(text)) return upper ? *date + std::chrono::days(1) - core::milliseconds(1) : *date;
    return core::present(query.time(name, "must be an RFC 3339 time or a date"));
}

std::optional<Chosen> read_filter(const Filter& filter, const http::Query& query) {
    const auto values = query.filters(filter.parameter);
    if (values.empty()) return {};
    Chosen chosen{&filter, {}};
    switch (filter.compare) {
        case Compare::folded:
        case Compare::code:
        case Compare::reference:
            chosen.texts = read_texts(filter, values);
            break;
        case Compare::id:
            chosen.texts.emplace_back(core::present(read_id(query, filter.parameter)).bytes());
            break;
        case Compare::boolean:
        case Compare::present:
            chosen.number = query.is_second(filter.parameter, "false", "true");
            break;
        case Compare::at_least:
        case Compare::at_most:
            chosen.number = core::present(query.integer(filter.parameter, 0, INT64_MAX));
            break;
        case Compare::from:
        case Compare::to:
            chosen.number = read_time(query, filter.parameter, filter.compare == Compare::to).time_since_epoch().count();
            break;
    }
    return chosen;
}

void check_bounds(const std::vector<Chosen>& all, const Chosen& upper) {
    for (const auto& lower : all)
        if (lower.filter->parameter == upper.filter->not_below && lower.number > upper.number)
            throw http::invalid_query(lower.filter->parameter, "must not be above " + std::string(upper.filter->parameter));
}

void read_poll(const http::Query& query, Selection& selection) {
    if (!query.filter("updatedSince")) return;
    if (selection.sort) throw http::invalid_query("sort", "must not be given with updatedSince");
    selection.updated_since = query.time("updatedSince");
    const auto position = query.filter("position");
    if (!position) return;
    selection.position = Position::parse(*position);
    const bool fits = selection.position && (selection.position->time != no_time || selection.order_may_be_null());
    if (!fits) throw http::invalid_query("position", "must be that of a next link");
    selection.updated_until = selection.position->until;
}

}  // namespace

bool Selection::needs_derived() const {
    const auto is_derived = [this](std::string_view column) {
        return std::find(list->derived.begin(), list->derived.end(), column) != list->derived.end();
    };
    return (sort && is_derived(sort->column)) ||
           std::any_of(chosen.begin(), chosen.end(), [&](const auto& each) { return is_derived(each.filter->column); });
}

bool Selection::is_empty() const {
    if (!is_public() && owners.empty()) return true;
    return std::any_of(chosen.begin(), chosen.end(),
                       [](const auto& each) { return !each.is_range() && !each.is_boolean() && each.texts.empty(); });
}

std::string Selection::key() const {
    auto key = std::string(list->collection) + (is_public() ? "" : " by " + std::string(list->scope));
    const auto add = [&key](std::string_view text) {
        key.append(" ").append(std::to_string(text.size())).append(":").append(text);
    };
    for (const auto& owner : owners) add(owner.bytes());
    for (const auto& each : chosen) {
        key.append("&").append(each.filter->parameter);
        if (each.is_range() || each.is_boolean()) add(std::to_string(each.number));
        for (const auto& text : each.texts) add(text);
    }
    if (search) key.append("&q"), add(q);
    if (sort || (search && !by_relevance)) key.append("&sort"), add(sort ? sort->name : newest);
    return key;
}

Selection select(const List& list, const http::Query& query) {
    Selection selection;
    selection.list = &list;
    http::Faults faults;
    if (list.searched) faults.collect([&] { read_search(query, selection); });
    faults.collect([&] { read_sort(query, selection); });
    for (const auto& filter : list.filters)
        faults.collect([&] {
            if (auto chosen = read_filter(filter, query)) selection.chosen.push_back(std::move(*chosen));
        });
    faults.finish();
    for (const auto& each : selection.chosen)
        if (!each.filter->not_below.empty()) check_bounds(selection.chosen, each);
    for (auto& each : selection.chosen) each.number = std::min(each.number, each.filter->most);
    if (list.poll.horizon) read_poll(query, selection);
    if (selection.search && selection.updated_since) throw http::invalid_query("q", "must not be given with updatedSince");
    return selection;
}

std::optional<core::Uuid> read_id(const http::Query& query, std::string_view name) {
    const auto text = query.filter(name);
    if (!text) return {};
    const auto id = core::Uuid::parse(*text);
    if (!id) throw http::invalid_query(name, "must be a UUID");
    return id;
}

}  // namespace tradepost::lists
