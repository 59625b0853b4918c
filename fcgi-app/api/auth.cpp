#include "api/auth.h"

#include "api/credentials.h"
#include "api/write.h"
#include "core/text.h"
#include "domain/field.h"
#include "domain/user.h"
#include "http/error.h"

namespace tradepost::api {

http::Response exchange_token(Call& call) {
    const auto credentials = read_credentials(call);
    const auto minted = call.services.sign_in.exchange(credentials.email, credentials.password);
    if (!minted) throw http::invalid_credentials();
    json::Writer writer;
    writer.begin_object().member("token", minted->plain).end_object();
    auto response = http::data(writer.text());
    response.set("Cache-Control", "no-store");
    response.set("X-Token-Expires-At", core::to_rfc3339(minted->token.expires_at));
    return response;
}

http::Response revoke_token(Call& call) {
    const auto& id = call.principal->token->id;
    // Revoked by somebody else since it was checked: just as well.
    call.services.tokens.revoke(id, call.services.clock.now());
    auto response = deleted(id);
    response.set("Cache-Control", "no-store");
    return response;
}

std::string limit_key(const json::Json* body) {
    if (!body || !body->is_object()) return {};
    const auto email = body->find("email");
    if (email == body->end() || !email->is_string()) return {};
    const auto text = core::trim(email->get_ref<const std::string&>());
    if (domain::fault(domain::rules::required_text(domain::max_email_length), text)) return {};
    return domain::email_key(text);
}

}  // namespace tradepost::api
