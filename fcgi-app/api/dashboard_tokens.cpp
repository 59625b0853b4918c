#include "api/dashboard.h"
#include "api/write.h"
#include "http/error.h"
#include "json/fields.h"

namespace tradepost::api {
namespace {

std::span<const domain::Field<repo::Token>> token_fields() {
    static const domain::Field<repo::Token> fields[] = {{"name", domain::rules::required_text(80), &repo::Token::name}};
    return fields;
}

// The members of a token, without its value, in an object that was begun.
void write(json::Writer& writer, const repo::Token& token) {
    writer.member("id", token.id)
        .member("name", token.name)
        .member("createdAt", token.created_at)
        .member("expiresAt", token.expires_at);
    // Only those of POST /api/v1/auth have no name.
    writer.member("lastUsedAt", token.last_used_at).member("source", token.name ? "DASHBOARD" : "AUTH");
}

}  // namespace

http::Response list_tokens(Call& call) {
    json::Writer writer;
    writer.begin_object().name("tokens").begin_array();
    for (const auto& token : call.services.tokens.list_active(call.principal->user_id, call.services.clock.now())) {
        writer.begin_object();
        write(writer, token);
        writer.end_object();
    }
    writer.end_array().member("limit", std::int64_t(repo::max_active_tokens)).end_object();
    return http::data(writer.text());
}

http::Response mint_token(Call& call) {
    json::refuse_unknown(call.body(), token_fields());
    repo::Token asked;
    json::read_fields(call.body(), token_fields(), asked, json::Reading::create);
    const auto minted = call.services.tokens.mint(call.principal->user_id, asked.name, call.services.clock);
    if (!minted) throw http::unauthorized();  // disabled since the session was looked at
    json::Writer writer;
    writer.begin_object();
    write(writer, minted->token);
    writer.member("token", minted->plain).end_object();
    auto response = http::data(writer.text(), 201);
    response.set("Location", "/dashboard/api/tokens/" + minted->token.id.to_string());
    return response;
}

http::Response revoke_token_by_id(Call& call) {
    const auto id = path_id(call);
    if (!call.services.tokens.revoke_own(call.principal->user_id, id, call.services.clock.now())) throw http::not_found();
    return deleted(id);
}

}  // namespace tradepost::api
