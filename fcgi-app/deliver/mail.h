// Sends letters, and the kinds of messages that are letters with a link that gives access.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "deliver/kinds.h"
#include "json/value.h"
#include "mail/address.h"

namespace tradepost::deliver {

struct Letter {
    std::string_view name;  // of its templates
    mail::Mailbox to;
    json::Json values;
    std::optional<mail::Mailbox> reply_to = {};
    std::string unsubscribe_url = {};
};

// Writes it from its templates and sends it.
outbox::Outcome send_letter(Sending& sending, const outbox::Delivery& delivery, Letter letter);

// "mail reset" {email, address}: a link for a new password, if there is such a user. The address is that of who asked.
outbox::Outcome send_reset(Sending& sending, const outbox::Delivery& delivery);

// "mail invitation" {invitationId}: a link to accept it, if it has not been withdrawn meanwhile.
outbox::Outcome send_invitation(Sending& sending, const outbox::Delivery& delivery);

// "mail token" {tokenId, userId, why}: this user learns that a token ends soon, unless another one has taken its place, or why it was revoked.
// Without a mail server nobody does.
outbox::Outcome send_token_letter(Sending& sending, const outbox::Delivery& delivery);

// "mail webhook" {webhookId, userId}: this ADMIN learns that the webhook was switched off, if it still is. Without a mail server nobody does.
outbox::Outcome send_webhook_disabled(Sending& sending, const outbox::Delivery& delivery);

}  // namespace tradepost::deliver
