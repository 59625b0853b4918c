// What the owner of a token is told of it: a person by a letter; of an integration's the ADMINs of its organisation. And webhooks of the
// organisations in which the token works.
#pragma once
#include <string_view>

#include "core/time.h"
#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::me {

// Why a letter is written.
inline constexpr std::string_view expires = "expires", sent_in_clear = "clear", sent_in_address = "address";

// Revokes the token that somebody sent in a way in which others could read it, and tells its owner. False when there is no such active token.
// A transaction of its own.
bool revoke_leaked(db::Connection& connection, std::string_view plain, std::string_view how, core::Time now);

// Tells of tokens that end within identity::expiry_is_told, and once more within expiry_is_near: of those that were used of late and that no
// other one takes the place of. Each in a transaction of its own. Returns how many.
std::uint64_t tell_of_expiring(db::Connection& connection, core::Time now);

}  // namespace tradepost::me
