#include "resources/auth/handlers.h"

#include "api/write.h"
#include "core/present.h"
#include "core/text.h"
#include "fields/field.h"
#include "http/error.h"
#include "identity/user.h"
#include "json/parse.h"
#include "resources/auth/credentials.h"

namespace tradepost::auth {

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

}  // namespace tradepost::auth
