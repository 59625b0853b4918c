// Fetches the images that clients named by address (resources/uploads/fetching.h).
#pragma once
#include "deliver/kinds.h"

namespace tradepost::deliver {

// A failure that may pass (deliver/policy.h) is tried again ten times, within an hour unless the server asks for longer pauses. Another message
// does it, so that the organisation's other images do not wait. After that, and after a failure that will not pass, the image is FAILED. Both
// count as delivered: no operator can help.
outbox::Outcome fetch_image(Sending& sending, const outbox::Delivery& delivery);

// The message is dead, because storing what was fetched failed for days.
void give_up_image(db::Connection& connection, const outbox::Delivery& delivery);

}  // namespace tradepost::deliver
