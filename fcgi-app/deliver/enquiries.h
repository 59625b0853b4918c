// Letters about new enquiries: what they say, and the kinds of messages that send them.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "deliver/kinds.h"
#include "json/value.h"
#include "mail/address.h"

namespace tradepost::deliver {

struct EnquiryLetter {
    mail::Mailbox to;
    std::optional<mail::Mailbox> reply_to;  // the sender of the enquiry, if mail can be sent there
    json::Json values;
    std::string unsubscribe_url;
    core::Uuid organisation_id;
    core::Time sent_at;            // of a single enquiry
    std::vector<core::Uuid> told;  // the enquiries of a digest
};

// Empty when the enquiry is gone, or the user is no member any more, is disabled or has chosen no letters meanwhile.
std::optional<EnquiryLetter> enquiry_letter(db::Connection& connection, const core::Config& config, const core::Uuid& user_id,
                                            const core::Uuid& enquiry_id);

// Empty in the same cases, or when nothing is left to tell: a letter of today told it.
std::optional<EnquiryLetter> digest_letter(db::Connection& connection, const core::Config& config, const core::Uuid& user_id,
                                           const core::Uuid& organisation_id);

// After the letter was sent: the next one does not tell these any more.
void forget_digest(db::Connection& connection, const core::Uuid& user_id, const core::Uuid& organisation_id,
                   const std::vector<core::Uuid>& told);

// "mail enquiry" {userId, enquiryId}. After the fifth letter in an hour to a member about an organisation it leaves the enquiry to the digest of
// the next full hour.
outbox::Outcome send_enquiry(Sending& sending, const outbox::Delivery& delivery);

// "mail digest" {userId, organisationId}
outbox::Outcome send_digest(Sending& sending, const outbox::Delivery& delivery);

}  // namespace tradepost::deliver
