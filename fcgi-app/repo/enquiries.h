// Reading enquiries: as the recipient's members see them, and as those who sent them do.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "db/connection.h"
#include "domain/enquiry.h"
#include "repo/listing.h"
#include "repo/offset_search.h"

namespace tradepost::repo {

// Several texts of one kind mean any of them, an empty list no filter.
struct EnquiryFilter {
    std::vector<core::Uuid> organisation_ids = {};  // the recipients; without any nothing is found, unless there is a sender
    std::optional<core::Uuid> sender = {};
    std::vector<std::string> statuses = {}, types = {};
    std::optional<core::Uuid> stock_id = {}, job_id = {};
    std::optional<core::Time> updated_since = {}, updated_until = {};  // both inclusive; the second only beside the first
};

// Borrows the connection. Every call throws db::Unavailable or db::Error, and is one round trip but where it says otherwise.
class Enquiries {
public:
    explicit Enquiries(db::Connection& connection) : connection_(connection) {}

    // Where the writers keep no count of it (see enquiry_counts.h) the rows are counted, maybe in a second round trip.
    std::int64_t count(const EnquiryFilter& filter);

    // Newest createdAt first, then id descending. Four round trips more for a page far from the first.
    std::vector<domain::Enquiry> page(const EnquiryFilter& filter, Slice slice);

    // Empty when there is no such enquiry, or the user is no member of its recipient.
    std::optional<domain::Enquiry> find(const core::Uuid& user_id, const core::Uuid& id);

private:
    std::optional<OffsetStart> start_of(const EnquiryFilter& filter, std::int64_t offset);
    db::Connection& connection_;
};

}  // namespace tradepost::repo
