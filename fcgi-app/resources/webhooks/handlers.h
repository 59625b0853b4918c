// /api/v1/webhooks: an organisation's webhooks, for its ADMINs.
#pragma once
#include "api/call.h"
#include "webhooks/webhook.h"
#include "writes/transaction.h"

namespace tradepost::webhooks {

// Whose webhooks a request may see and change: those of the organisation that the query names and that the caller administers.

// Throws 400 when the query names no organisation and the caller has several, 404 when they are no member of it, 403 when they are not its
// ADMIN.
core::Uuid administered(const api::Call& call);

// Inside a transaction: the same, locked exclusively until it ends, so that what is counted stays so.
core::Uuid lock_administered(const api::Call& call, writes::WriteTransaction& transaction);

// The webhook of the path, locked as well. Throws 404 when that organisation has none of this id.
Webhook lock_own(const api::Call& call, writes::WriteTransaction& transaction);

// Before anything about a body is looked at. Throws as administered(), and 403 when a session has not confirmed its password.
void check_may_send(api::Call& call);

}  // namespace tradepost::webhooks
