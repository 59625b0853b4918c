#include "identity/authenticator.h"

namespace tradepost::identity {
namespace {

Principal principal_of(Caller& caller, const core::Uuid& user_id) {
    return {user_id,
            std::move(caller.user_email),
            std::move(caller.user_name),
            caller.user_created_at,
            std::move(caller.roles),
            caller.sandbox,
            std::move(caller.memberships),
            {},
            {}};
}

}  // namespace

std::variant<Principal, TokenFault> Authenticator::authenticate(std::string_view token, CallerDetail detail) const {
    auto found = tokens_.find(token_hash(token), clock_.now(), detail);
    auto* const active = std::get_if<ActiveToken>(&found);
    if (!active) return std::get<TokenFault>(found);
    auto principal = principal_of(*active, active->token.user_id);
    principal.token = std::move(active->token);
    return principal;
}

std::optional<Principal> Authenticator::authenticate_session(std::string_view plain, CallerDetail detail) const {
    auto found = sessions_.find_active(token_hash(plain), clock_.now(), detail);
    if (!found) return {};
    auto principal = principal_of(*found, found->session.user_id);
    principal.session = std::move(found->session);
    return principal;
}

}  // namespace tradepost::identity
