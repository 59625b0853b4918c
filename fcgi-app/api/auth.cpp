#include "api/auth.h"

#include <openssl/crypto.h>

#include "api/write.h"
#include "core/text.h"
#include "json/fields.h"

namespace tradepost::api {
namespace {

struct Credentials {
    std::string email, password;
    ~Credentials() { OPENSSL_cleanse(password.data(), password.size()); }
};

std::span<const domain::Field<Credentials>> credentials_fields() {
    static const domain::Field<Credentials> fields[] = {
        {"email", domain::rules::required_text(domain::max_email_length), &Credentials::email},
        {"password", domain::rules::required_text(1024), &Credentials::password},
    };
    return fields;
}

}  // namespace

http::Response exchange_token(Call& call) {
    const auto fields = credentials_fields();
    auto& body = call.body();
    json::refuse_unknown(body, fields);
    // Trimmed before its length is looked at. No further check of its form: what is no address is nobody's.
    if (const auto email = body.find("email"); email != body.end() && email->is_string())
        *email = core::trim(email->get_ref<const std::string&>());
    Credentials credentials;
    json::read_fields(body, fields, credentials, json::Reading::create);
    auto& sent = body["password"].get_ref<std::string&>();
    OPENSSL_cleanse(sent.data(), sent.size());

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
    const auto& id = call.principal->token_id;
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
