// Reading enquiries: as the recipient's members see them, and as those who sent them do.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "db/connection.h"
#include "domain/enquiry.h"
#include "repo/listing.h"

namespace tradepost::repo {

// Several texts of one kind mean any of them, an empty list no filter.
struct EnquiryFilter {
    std::vector<core::Uuid> organisation_ids = {};  // the recipients; without any nothing is found, unless there is a sender
    std::optional<core::Uuid> sender = {};
    std::vector<std::string> statuses = {}, types = {};
    std::optional<core::Uuid> stock_id = {}, job_id = {};
    std::optional<core::Time> updated_since = {}, updated_until = {};  // both inclusive; the second only beside the first
};

// Borrows the connection. Every call is at most one round trip and throws db::Unavailable or db::Error.
class Enquiries {
public:
    explicit Enquiries(db::Connection& connection) : connection_(connection) {}

    std::int64_t count(const EnquiryFilter& filter);

    // Newest createdAt first, then id descending.
    std::vector<domain::Enquiry> page(const EnquiryFilter& filter, Slice slice);

    // Empty when there is no such enquiry, or the user is no member of its recipient.
    std::optional<domain::Enquiry> find(const core::Uuid& user_id, const core::Uuid& id);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::repo
