// Letters about a change of a user's address.
#pragma once
#include "deliver/kinds.h"

namespace tradepost::deliver {

// "mail email-change" {changeId, userId}: to the new address, a link that makes it the user's; or, when another user has it, that there is an
// account already. Nothing if the change waits no more.
outbox::Outcome send_email_change(Sending& sending, const outbox::Delivery& delivery);

// "mail email-warning" {userId, email, newEmail}: to the old address, what was asked for and what to do about it.
outbox::Outcome send_email_warning(Sending& sending, const outbox::Delivery& delivery);

}  // namespace tradepost::deliver
