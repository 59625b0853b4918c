// Handlers of /api/v1/accounts: the organisation as its members see and change it, and its members.
#pragma once
#include <utility>

#include "api/call.h"
#include "identity/organisations/organisation.h"
#include "writes/transaction.h"

namespace tradepost::accounts {

// Before anything about the body is looked at. Throws 400 when the query names no organisation and the caller
// has several, 404 when they are no member of it, 403 when they are not its ADMIN.
void check_admin(api::Call& call);

// For what gives somebody lasting rights: check_admin(), then api::check_confirmed().
void check_may_grant(api::Call& call);

// The organisation that the query names, or the caller's only one, with the caller's role as it was when the request was authenticated.
// Throws as check_admin() but for the role.
std::pair<core::Uuid, identity::Role> own_role(const api::Call& call);

// Inside a transaction, for what must add up over the whole organisation: throws 404 or 403 unless the caller is its ADMIN, and holds it.
void lock_as_admin(api::Call& call, writes::WriteTransaction& transaction, const core::Uuid& organisation);

}  // namespace tradepost::accounts
