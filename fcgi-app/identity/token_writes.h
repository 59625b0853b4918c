// Parts of Tokens for those who have a transaction of their own, or ask for several users at once.
#pragma once
#include <span>

#include "identity/tokens.h"

namespace tradepost::identity {

// Tokens::mint() and revoke_own() inside a transaction of the caller.
std::optional<MintedToken> mint_within(db::Connection& connection, const core::Uuid& user_id,
                                       const std::optional<std::string>& name, const core::Clock& clock,
                                       const MintingRight& right, const std::optional<Scopes>& scopes);
bool revoke_within(db::Connection& connection, const core::Uuid& user_id, const core::Uuid& id, core::Time now);

// Tokens::list_active() of these users.
std::vector<Token> list_active(db::Connection& connection, std::span<const core::Uuid> user_ids, core::Time now);

}  // namespace tradepost::identity
