#include "api/credentials.h"

#include <openssl/crypto.h>

#include "core/text.h"
#include "domain/user.h"
#include "json/fields.h"

namespace tradepost::api {
namespace {

std::span<const domain::Field<Credentials>> credentials_fields() {
    static const domain::Field<Credentials> fields[] = {
        {"email", domain::rules::required_text(domain::max_email_length), &Credentials::email},
        {"password", domain::rules::required_text(domain::max_password_bytes), &Credentials::password},
    };
    return fields;
}

}  // namespace

Credentials::~Credentials() {
    OPENSSL_cleanse(password.data(), password.size());
}

Credentials read_credentials(Call& call) {
    const auto fields = credentials_fields();
    auto& body = call.body();
    json::refuse_unknown(body, fields);
    // Trimmed before its length is looked at.
    if (const auto email = body.find("email"); email != body.end() && email->is_string())
        *email = core::trim(email->get_ref<const std::string&>());
    Credentials credentials;
    json::read_fields(body, fields, credentials, json::Reading::create);
    cleanse(body, "password");
    return credentials;
}

void cleanse(json::Json& body, const char* name) {
    const auto found = body.find(name);
    if (found == body.end() || !found->is_string()) return;
    auto& text = found->get_ref<std::string&>();
    OPENSSL_cleanse(text.data(), text.size());
}

}  // namespace tradepost::api
