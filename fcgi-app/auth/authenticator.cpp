#include "auth/authenticator.h"

namespace tradepost::auth {
namespace {

// `Active` is repo::ActiveToken or repo::ActiveSession.
template <class Active>
Principal principal_of(Active& found, const core::Uuid& user_id) {
    Principal principal;
    principal.user_id = user_id;
    principal.email = std::move(found.user_email);
    principal.name = std::move(found.user_name);
    principal.user_created_at = found.user_created_at;
    principal.roles = std::move(found.roles);
    return principal;
}

}  // namespace

std::optional<Principal> Authenticator::authenticate(std::string_view token) const {
    auto found = tokens_.find_active(repo::token_hash(token), clock_.now());
    if (!found) return {};
    auto principal = principal_of(*found, found->token.user_id);
    principal.token = std::move(found->token);
    return principal;
}

std::optional<Principal> Authenticator::authenticate_session(std::string_view plain) const {
    auto found = sessions_.find_active(repo::token_hash(plain), clock_.now());
    if (!found) return {};
    auto principal = principal_of(*found, found->session.user_id);
    principal.session = std::move(found->session);
    return principal;
}

}  // namespace tradepost::auth
