#include "repo/stock_counts.h"

#include "repo/filter_choices.h"
#include "repo/time_counts.h"

namespace tradepost::repo {
namespace {

// In the order in which keys name them.
constexpr char organisation = 'o', status = 's', availability = 'a';

FilterKey key(const core::Uuid& of, Choice its_status, Choice its_availability) {
    std::vector<Term> terms{{organisation, of.bytes()}};
    add_term(terms, status, its_status);
    add_term(terms, availability, its_availability);
    return filter_key(terms);
}

}  // namespace

CountedStock CountedStock::read(const db::Row& row, std::size_t first) {
    return {row.uuid(first), row.text(first + 1), row.text(first + 2), row.time(first + 3)};
}

void count(CountChanges& changes, const CountedStock& item, std::int64_t n) {
    for (const Choice its_status : {Choice(), Choice(item.status)})
        for (const Choice its_availability : {Choice(), Choice(item.availability)}) {
            const auto filter = key(item.organisation_id, its_status, its_availability);
            changes.add({filter, all_rows, 0}, n);
            creations.add(changes, filter, time_value(item.created_at), n);
        }
}

bool counted_filters(const StockFilter& filter, const core::Uuid& organisation_id, std::vector<FilterKey>& keys) {
    if (!filter.references.empty() || filter.updated_since) return false;
    const auto statuses = choices(filter.statuses), availabilities = choices(filter.availabilities);
    if (statuses.size() * availabilities.size() > most_filter_keys) return false;
    for (const auto& its_status : statuses)
        for (const auto& its_availability : availabilities) keys.push_back(key(organisation_id, its_status, its_availability));
    return true;
}

}  // namespace tradepost::repo
