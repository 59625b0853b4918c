// Enquiries: what somebody writes to an organisation about its stock, a job or itself.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "core/uuid.h"
#include "fields/field.h"

namespace tradepost::enquiries {

struct Enquiry {
    core::Uuid id, organisation_id;  // the recipient
    std::string type;
    std::optional<core::Uuid> stock_id, job_id, from_user_id;
    std::optional<std::string> target_title, target_reference;  // of the item or job; without a title nothing is known of it
    std::optional<std::string> target_thumbnail;  // the address of the item's first picture, as the recipient sees it
    std::string name;
    std::optional<std::string> email, phone;
    std::string message;
    std::string status = "NEW";
    std::optional<std::string> note;  // the recipient's own
    core::Time created_at, updated_at;
    std::optional<core::Time> replied_at;  // when it was first marked as replied; not shown
};

// When an enquiry was replied to whose status changes now.
std::optional<core::Time> replied_at(const Enquiry& enquiry, core::Time now);

// What the sender writes, and what the recipient changes: all but ids, type and times.
std::span<const fields::Field<Enquiry>> sent_fields();
std::span<const fields::Field<Enquiry>> worked_fields();

}  // namespace tradepost::enquiries
