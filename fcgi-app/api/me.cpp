#include "api/me.h"

#include "json/writer.h"

namespace tradepost::api {

http::Response get_me(Call& call) {
    const auto& principal = *call.principal;
    json::Writer writer;
    writer.begin_object();
    writer.member("id", principal.user_id).member("email", principal.email).member("name", principal.name);
    writer.member("createdAt", principal.user_created_at);
    writer.name("organisations").begin_array();
    for (const auto& membership : call.services.memberships.of_user(principal.user_id)) {
        writer.begin_object();
        writer.member("id", membership.organisation_id).member("slug", membership.slug).member("name", membership.name);
        writer.member("role", domain::to_string(membership.role)).end_object();
    }
    writer.end_array();
    writer.name("token").begin_object();
    writer.member("id", principal.token_id).member("name", principal.token_name);
    writer.member("createdAt", principal.token_created_at).member("expiresAt", principal.token_expires_at);
    writer.end_object().end_object();
    return http::data(writer.text());
}

}  // namespace tradepost::api
