#include "resources/auth/handlers.h"

#include "api/route.h"
#include "api/write.h"
#include "core/present.h"
#include "core/text.h"
#include "fields/field.h"
#include "http/error.h"
#include "identity/people/users.h"
#include "json/parse.h"
#include "resources/auth/credentials.h"

namespace tradepost::auth {

// POST: 200 with the token, and its expiry in X-Token-Expires-At; 401 whatever is wrong.
http::Response exchange_token(api::Call& call) {
    const auto credentials = read_credentials(call, SignInFor::token);
    const auto result = call.services.sign_in.exchange(credentials.attempt(), credentials.scopes);
    const auto* const minted = std::get_if<identity::MintedToken>(&result);
    if (!minted) throw refusal(call, credentials.email, std::get<identity::SignInFault>(result));
    json::Writer writer;
    writer.begin_object().member("token", minted->plain).end_object();
    auto response = http::data(writer.text());
    response.set("Cache-Control", "no-store");
    response.set("X-Token-Expires-At", core::to_rfc3339(minted->token.expires_at));
    return response;
}

// DELETE: revokes the token of the request.
http::Response revoke_token(api::Call& call) {
    const auto& id = core::present(call.caller().token).id;
    // Another request may have revoked it meanwhile; the result is the same.
    identity::Tokens(call.services.connection).revoke(id, call.services.clock.now());
    auto response = api::deleted(id);
    response.set("Cache-Control", "no-store");
    return response;
}

std::string limit_key(const json::Json* body) {
    if (!body || !body->is_object()) return {};
    const auto email = body->find("email");
    if (email == body->end() || !email->is_string()) return {};
    const auto text = core::trim(email->get_ref<const std::string&>());
    if (fields::fault(fields::rules::required_text(identity::max_email_length), text)) return {};
    return identity::email_key(text);
}

std::span<const api::Route> routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"POST",   "/api/v1/auth", exchange_token, {.access = Access::open, .limit = RateClass::auth, .body = json_body, .pool = Pool::auth}},
        {"DELETE", "/api/v1/auth", revoke_token,   {.access = Access::token, .needs = Needs::nothing, .limit = RateClass::exempt, .pool = Pool::auth}},  // who has used up all writes can still revoke the token
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::auth
