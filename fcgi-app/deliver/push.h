// Sends the messages for browsers and telephones (push/README.md).
#pragma once
#include "deliver/kinds.h"

namespace tradepost::deliver {

// "push enquiry" {enquiryId, tokenHash}: tells one device of a new enquiry, while its user may read it and nobody has. What the push service
// or the relay answers with 404 or 410 removes the token.
outbox::Outcome send_push(Sending& sending, const outbox::Delivery& delivery);

}  // namespace tradepost::deliver
