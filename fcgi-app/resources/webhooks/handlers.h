// /api/v1/webhooks: an organisation's webhooks, for its ADMINs.
#pragma once
#include "api/call.h"

namespace tradepost::webhooks {

// Before anything about a body is looked at. Throws as administered() in own.h, and 403 when a session has not confirmed its password.
void check_may_send(api::Call& call);

http::Response list_webhooks(api::Call& call);
http::Response get_webhook(api::Call& call);

// 201 with the secret, which no other answer shows again. 409 when the organisation has most_of_organisation.
http::Response create_webhook(api::Call& call);
http::Response change_webhook(api::Call& call);
http::Response delete_webhook(api::Call& call);

// 200 with a new secret, beside which the old one goes on signing for old_secrets_sign.
http::Response rotate_secret(api::Call& call);

// Sends a message that says nothing but that it arrives. 409 when the webhook is switched off.
http::Response send_test(api::Call& call);

http::Response list_deliveries(api::Call& call);

// Sends a message once more. 409 when the webhook is switched off.
http::Response retry_delivery(api::Call& call);

}  // namespace tradepost::webhooks
