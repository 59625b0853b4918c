#include "api/tokens.h"

#include "api/route.h"
#include "api/write.h"
#include "http/error.h"

namespace tradepost::dashboard {
namespace {

// Writes the members of a token, without its value, into an open object.
void write(json::Writer& writer, const identity::Token& token) {
    api::write_token(writer, token);
    // Only tokens of POST /api/v1/auth have no name.
    writer.member("source", token.name ? "DASHBOARD" : "AUTH");
}

// The user's active tokens, newest first. At the limit a new one deletes the last one.
http::Response list_tokens(api::Call& call) {
    json::Writer writer;
    writer.begin_object().name("tokens").begin_array();
    for (const auto& token :
         identity::Tokens(call.services.connection).list_active(call.caller().user_id, call.services.clock.now())) {
        writer.begin_object();
        write(writer, token);
        writer.end_object();
    }
    writer.end_array().member("limit", std::int64_t(identity::max_active_tokens)).end_object();
    return http::data(writer.text());
}

// POST {name}: 201 with the token, whose value is shown only here.
http::Response mint_token(api::Call& call) {
    const auto asked = api::read_token(call.body());
    const auto minted =
        identity::Tokens(call.services.connection)
            .mint(call.caller().user_id, asked.name, call.services.clock, {.session = call.session().hash}, asked.scopes);
    if (!minted) throw http::unauthorized();  // the user was disabled, or the session ended, since it was checked
    json::Writer writer;
    writer.begin_object();
    write(writer, minted->token);
    writer.member("token", minted->plain).end_object();
    auto response = http::data(writer.text(), 201);
    response.set("Location", "/dashboard/api/tokens/" + minted->token.id.to_string());
    return response;
}

// 404 when the id is not that of an active token of the user.
http::Response revoke_token_by_id(api::Call& call) {
    const auto id = api::path_id(call);
    if (!identity::Tokens(call.services.connection).revoke_own(call.caller().user_id, id, call.services.clock.now()))
        throw http::not_found();
    return api::deleted(id);
}

}  // namespace

std::span<const api::Route> token_routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"GET",    "/dashboard/api/tokens",      list_tokens,        {.access = Access::session}},
        {"POST",   "/dashboard/api/tokens",      mint_token,         {.access = Access::session, .body = json_body, .before_body = check_confirmed}},
        {"DELETE", "/dashboard/api/tokens/{id}", revoke_token_by_id, {.access = Access::session}},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::dashboard
