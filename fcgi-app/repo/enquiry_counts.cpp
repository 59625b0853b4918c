#include "repo/enquiry_counts.h"

#include "repo/filter_choices.h"
#include "repo/time_counts.h"

namespace tradepost::repo {
namespace {

// In the order in which keys name them.
constexpr char organisation = 'o', sender = 'f', status = 's', type = 't';

FilterKey key(char field, const core::Uuid& whose, const Choice& its_status, const Choice& its_type) {
    std::vector<Term> terms{{field, whose.bytes()}};
    add_term(terms, status, its_status);
    add_term(terms, type, its_type);
    return filter_key(terms);
}

}  // namespace

CountedEnquiry CountedEnquiry::read(const db::Row& row, std::size_t first) {
    return {row.uuid(first), row.text(first + 1), row.text(first + 2), row.opt_uuid(first + 3), row.time(first + 4)};
}

void count(CountChanges& changes, const CountedEnquiry& enquiry, std::int64_t n) {
    const auto add = [&](const FilterKey& filter) {
        changes.add({filter, all_rows, 0}, n);
        creations.add(changes, filter, time_value(enquiry.created_at), n);
    };
    for (const Choice its_status : {Choice(), Choice(enquiry.status)})
        for (const Choice its_type : {Choice(), Choice(enquiry.type)}) {
            add(key(organisation, enquiry.organisation_id, its_status, its_type));
            if (enquiry.from_user_id && !(its_status && its_type)) add(key(sender, *enquiry.from_user_id, its_status, its_type));
        }
}

bool counted_filters(const EnquiryFilter& filter, std::vector<FilterKey>& keys) {
    if (filter.stock_id || filter.job_id || filter.updated_since) return false;
    const auto statuses = choices(filter.statuses), types = choices(filter.types);
    if (filter.sender && (!filter.organisation_ids.empty() || (!filter.statuses.empty() && !filter.types.empty()))) return false;
    if (statuses.size() * types.size() > most_filter_keys) return false;
    for (const auto& its_status : statuses)
        for (const auto& its_type : types) {
            if (filter.sender)
                keys.push_back(key(sender, *filter.sender, its_status, its_type));
            else
                for (const auto& id : filter.organisation_ids) keys.push_back(key(organisation, id, its_status, its_type));
        }
    return true;
}

}  // namespace tradepost::repo
