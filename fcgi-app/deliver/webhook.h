// Sends what webhooks are told.
#pragma once
#include "deliver/kinds.h"

namespace tradepost::deliver {

// "webhook": the payload as it is, signed. Any 2xx is success; 410 is final.
outbox::Outcome send_webhook(Sending& sending, const outbox::Delivery& delivery);

// "webhook twice": the same once more after its success, as when an answer is lost on the way.
outbox::Outcome send_webhook_twice(Sending& sending, const outbox::Delivery& delivery);

// Switches the webhook off when it answered 410, or has failed for as long as messages are tried, and tells the ADMINs.
void give_up_webhook(db::Connection& connection, const outbox::Delivery& delivery);

}  // namespace tradepost::deliver
