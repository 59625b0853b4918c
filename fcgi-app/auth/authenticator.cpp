#include "auth/authenticator.h"

namespace tradepost::auth {
namespace {

Principal principal_of(repo::Caller& caller, const core::Uuid& user_id) {
    return {user_id,
            std::move(caller.user_email),
            std::move(caller.user_name),
            caller.user_created_at,
            std::move(caller.roles),
            std::move(caller.memberships),
            {},
            {}};
}

}  // namespace

std::optional<Principal> Authenticator::authenticate(std::string_view token, repo::Wanted wanted) const {
    auto found = tokens_.find_active(repo::token_hash(token), clock_.now(), wanted);
    if (!found) return {};
    auto principal = principal_of(*found, found->token.user_id);
    principal.token = std::move(found->token);
    return principal;
}

std::optional<Principal> Authenticator::authenticate_session(std::string_view plain, repo::Wanted wanted) const {
    auto found = sessions_.find_active(repo::token_hash(plain), clock_.now(), wanted);
    if (!found) return {};
    auto principal = principal_of(*found, found->session.user_id);
    principal.session = std::move(found->session);
    return principal;
}

}  // namespace tradepost::auth
