#include "resources/me/handlers.h"

#include "json/writer.h"

namespace tradepost::me {

void write_user(json::Writer& writer, api::Call& call, const identity::Principal& principal) {
    writer.member("id", principal.user_id).member("email", principal.email).member("name", principal.name);
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
        writer.member("createdAt", token->created_at).member("expiresAt", token->expires_at).end_object();
    } else {
        writer.null();
    }
    writer.end_object();
    return http::data(writer.text());
}

}  // namespace tradepost::me
