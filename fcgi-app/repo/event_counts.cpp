#include "repo/event_counts.h"

#include <set>

#include "core/text.h"
#include "repo/time_counts.h"

namespace tradepost::repo {
namespace {

// In the order in which keys name them.
constexpr char category = 'c', city = 'y';

constexpr std::string_view list = "events";
constexpr int shifts[] = {32, 24, 16, 8, 0};

std::string folded(const std::optional<std::string>& text) {
    return text ? core::fold_key(*text) : std::string();
}

std::set<std::string> folded(const std::vector<std::string>& texts) {
    std::set<std::string> keys;
    for (const auto& text : texts) keys.insert(core::fold_key(text));
    return keys;
}

const std::vector<CountRange> everything{{all_rows, 0, 0}};

}  // namespace

constinit const Histogram event_beginnings(1, shifts), event_ends(1 + std::size(shifts), shifts);

CountedEvent CountedEvent::of(const domain::Event& event, bool listed) {
    return {listed, folded(event.category), folded(event.city), event.starts_at, event.over_at()};
}

CountedEvent CountedEvent::read(const db::Row& row, std::size_t first) {
    return {row.boolean(first), row.opt_text(first + 1).value_or(""), row.opt_text(first + 2).value_or(""), row.time(first + 3),
            row.time(first + 4)};
}

void count(CountChanges& changes, const CountedEvent& event, std::int64_t n) {
    if (!event.listed) return;
    for (const bool by_category : {false, true})
        for (const bool by_city : {false, true}) {
            if ((by_category && event.category_key.empty()) || (by_city && event.city_key.empty())) continue;
            std::vector<Term> terms;
            if (by_category) terms.push_back({category, event.category_key});
            if (by_city) terms.push_back({city, event.city_key});
            const auto filter = filter_key(terms);
            changes.add({filter, all_rows, 0}, n);
            event_beginnings.add(changes, filter, time_value(event.starts_at), n);
            event_ends.add(changes, filter, time_value(event.over_at), n);
        }
}

std::optional<FilterKey> counted_filter(const EventFilter& filter) {
    const auto categories = folded(filter.categories), cities = folded(filter.cities);
    if (categories.size() > 1 || cities.size() > 1 || categories.contains("") || cities.contains("")) return {};
    if (filter.from && filter.to && *filter.from > *filter.to) return {};
    // All that began before 1970 is counted as one moment.
    for (const auto& bound : {filter.from, filter.to})
        if (bound && time_value(*bound) == 0) return {};
    std::vector<Term> terms;
    for (const auto& key : categories) terms.push_back({category, key});
    for (const auto& key : cities) terms.push_back({city, key});
    return filter_key(terms);
}

CountSum events_between(const FilterKey& filter, std::optional<core::Time> from, std::optional<core::Time> to) {
    std::vector<CountRange> outside;
    if (from) outside = event_beginnings.below(time_value(*from));
    if (to)
        for (const auto& range : event_beginnings.above(time_value(*to))) outside.push_back(range);
    return sum_of(list, std::span(&filter, 1), everything, outside);
}

CountSum events_not_over(const FilterKey& filter, core::Time now) {
    return sum_of(list, std::span(&filter, 1), everything, event_ends.below(time_value(now)));
}

}  // namespace tradepost::repo
