#include "resources/dashboard/reset.h"

#include <openssl/crypto.h>

#include <nlohmann/json.hpp>

#include "api/write.h"
#include "core/crypto.h"
#include "core/hex.h"
#include "fields/json.h"
#include "http/error.h"
#include "identity/password_resets.h"
#include "identity/password_rules.h"
#include "identity/passwords.h"
#include "json/parse.h"
#include "outbox/send.h"
#include "resources/auth/credentials.h"

namespace tradepost::dashboard {
namespace {

struct Address {
    std::string email;
};

std::span<const fields::Field<Address>> address_fields() {
    static const fields::Field<Address> fields[] = {
        {"email", {fields::Kind::email, fields::Presence::required}, &Address::email}};
    return fields;
}

struct NewPassword {
    ~NewPassword() { OPENSSL_cleanse(password.data(), password.size()); }
    std::string password;
    bool revoke_tokens = false;
};

std::span<const fields::Field<NewPassword>> password_fields() {
    using namespace fields;
    static const Field<NewPassword> fields[] = {
        {"password",
         {Kind::text, Presence::required, identity::min_password_length, identity::max_password_length},
         &NewPassword::password},
        {"revokeTokens", {Kind::boolean, Presence::defaulted}, &NewPassword::revoke_tokens},
    };
    return fields;
}

http::Response nothing() {
    auto response = http::data("{}");
    response.set("Cache-Control", "no-store");
    return response;
}

}  // namespace

http::Response request_reset(api::Call& call) {
    fields::refuse_unknown(call.body(), address_fields());
    Address address;
    fields::read_fields(call.body(), address_fields(), address, fields::Reading::create);
    if (!call.services.config.mail.is_configured())
        throw http::conflict("this service sends no mail; ask whoever runs it for a new password");
    // No address of a person stands in a target.
    const auto target = "reset " + core::to_hex(core::sha256(identity::email_key(address.email))).substr(0, 32);
    const json::Json payload{{"email", address.email}, {"address", call.request.client_address}};
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        outbox::send(transaction.connection(), call.services.clock.now(),
                     {.kind = "mail reset", .target = target, .payload = json::dump(payload)});
        return nothing();
    });
}

http::Response reset_password(api::Call& call) {
    auto& body = call.body();
    fields::refuse_unknown(body, password_fields());
    NewPassword change;
    fields::read_fields(body, password_fields(), change, fields::Reading::create);
    auth::cleanse(body, "password");

    const auto& token = call.parameters[0];
    identity::PasswordResets resets(call.services.connection);
    const auto now = call.services.clock.now();
    const auto user = resets.user_of(token, now);
    if (!user) throw http::not_found();
    if (const auto fault = identity::password_fault(change.password, user->email, user->name))
        throw http::invalid_field("password", *fault);
    const auto hash = identity::Passwords(call.services.config.auth).hash(change.password);
    if (!resets.finish(token, hash, change.revoke_tokens, now)) throw http::not_found();
    return nothing();
}

}  // namespace tradepost::dashboard
