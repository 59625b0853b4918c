// Which counts of the enquiries' lists an enquiry takes part in, and which add up to a filter's total.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/enquiry.h"
#include "repo/enquiries.h"
#include "repo/list_counts.h"

namespace tradepost::repo {

// What of a row the lists' filters look at.
struct CountedEnquiry {
    static constexpr std::string_view columns = "organisation_id, status, type, from_user_id, created_at";

    core::Uuid organisation_id;
    std::string status, type;
    std::optional<core::Uuid> from_user_id;
    core::Time created_at;

    static CountedEnquiry of(const domain::Enquiry& enquiry) {
        return {enquiry.organisation_id, enquiry.status, enquiry.type, enquiry.from_user_id, enquiry.created_at};
    }
    // From `columns`, the first of which is column `first`.
    static CountedEnquiry read(const db::Row& row, std::size_t first);
};

struct EnquiryTable {
    using Counted = CountedEnquiry;
    static constexpr std::string_view name = "enquiries";
};

// Adds `n` for the enquiry to each count that it takes part in: its recipient's, by status, by type, by both; its sender's, by
// status, by type; each also by creation.
void count(CountChanges& changes, const CountedEnquiry& enquiry, std::int64_t n);

// The filters whose counts add up to what `filter` finds. False when nobody keeps them.
bool counted_filters(const EnquiryFilter& filter, std::vector<FilterKey>& keys);

}  // namespace tradepost::repo
