// A new password for whoever forgot theirs: /dashboard/api/reset.
#include <openssl/crypto.h>

#include <nlohmann/json.hpp>

#include "api/route.h"
#include "api/write.h"
#include "core/crypto.h"
#include "core/hex.h"
#include "fields/json.h"
#include "http/error.h"
#include "identity/passwords/password_rules.h"
#include "identity/passwords/passwords.h"
#include "identity/sessions/password_resets.h"
#include "json/parse.h"
#include "outbox/queue.h"
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
        {"password", identity::new_password_rule, &NewPassword::password},
        {"revokeTokens", {Kind::boolean, Presence::defaulted}, &NewPassword::revoke_tokens},
    };
    return fields;
}

http::Response nothing() {
    auto response = http::data("{}");
    response.set("Cache-Control", "no-store");
    return response;
}

// POST {email}: 200 at the same cost whether there is such a user or not: the letter's sender looks for one. 409 without a mail server.
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

// PUT {password, revokeTokens?} with the token of a letter: 200; 404 for one that is unknown, expired or used.
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

}  // namespace

std::span<const api::Route> reset_routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"POST", "/dashboard/api/reset",         request_reset,  {.access = Access::open, .limit = RateClass::auth, .body = json_body, .pool = Pool::auth}},
        {"PUT",  "/dashboard/api/reset/{token}", reset_password, {.access = Access::open, .limit = RateClass::auth, .body = json_body, .pool = Pool::auth}},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::dashboard
