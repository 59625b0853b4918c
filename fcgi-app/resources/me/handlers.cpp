#include "resources/me/handlers.h"

#include "api/scopes.h"
#include "api/tokens.h"
#include "api/write.h"
#include "http/error.h"
#include "json/writer.h"

namespace tradepost::me {

void write_user(json::Writer& writer, api::Call& call, const identity::Principal& principal) {
    writer.member("id", principal.user_id);
    writer.member("email", principal.email.empty() ? std::nullopt : std::optional(principal.email))
        .member("name", principal.name);
    writer.member("createdAt", principal.user_created_at);
    writer.name("organisations").begin_array();
    for (const auto& membership : principal.memberships
                                      ? *principal.memberships
                                      : identity::Memberships(call.services.connection).of_user(principal.user_id)) {
        writer.begin_object();
        writer.member("id", membership.organisation_id).member("slug", membership.slug).member("name", membership.name);
        writer.member("role", identity::to_string(membership.role)).end_object();
    }
    writer.end_array();
}

http::Response get_me(api::Call& call) {
    json::Writer writer;
    writer.begin_object();
    write_user(writer, call, call.caller());
    writer.name("token");
    if (const auto& token = call.caller().token) {
        writer.begin_object().member("id", token->id).member("name", token->name);
        writer.member("createdAt", token->created_at).member("expiresAt", token->expires_at);
        api::write_scopes(writer, token->scopes);
        writer.end_object();
    } else {
        writer.null();
    }
    writer.end_object();
    return http::data(writer.text());
}

http::Response list_my_tokens(api::Call& call) {
    const auto& caller = call.caller();
    json::Writer writer;
    writer.begin_object().name("tokens").begin_array();
    for (const auto& token : identity::Tokens(call.services.connection).list_active(caller.user_id, call.services.clock.now())) {
        writer.begin_object();
        api::write_token(writer, token);
        writer.member("current", caller.token && caller.token->id == token.id).end_object();
    }
    writer.end_array().member("limit", std::int64_t(identity::max_active_tokens)).end_object();
    return http::data(writer.text());
}

http::Response revoke_my_token(api::Call& call) {
    const auto id = api::path_id(call);
    if (!identity::Tokens(call.services.connection).revoke_own(call.caller().user_id, id, call.services.clock.now()))
        throw http::not_found();
    return api::deleted(id);
}

}  // namespace tradepost::me
