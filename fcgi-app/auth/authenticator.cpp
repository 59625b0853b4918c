#include "auth/authenticator.h"

namespace tradepost::auth {

std::optional<Principal> Authenticator::authenticate(std::string_view token) {
    auto found = tokens_.find_active(repo::token_hash(token), clock_.now());
    if (!found) return {};
    Principal principal;
    principal.user_id = found->token.user_id;
    principal.email = std::move(found->user_email);
    principal.name = std::move(found->user_name);
    principal.user_created_at = found->user_created_at;
    principal.roles = std::move(found->roles);
    principal.token_id = found->token.id;
    principal.token_name = std::move(found->token.name);
    principal.token_created_at = found->token.created_at;
    principal.token_expires_at = found->token.expires_at;
    principal.token_last_used_at = found->token.last_used_at;
    return principal;
}

}  // namespace tradepost::auth
