#include "resources/auth/credentials.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <chrono>

#include "api/tokens.h"
#include "audit/record.h"
#include "core/log.h"
#include "core/text.h"
#include "fields/json.h"
#include "identity/people/users.h"
#include "identity/sessions/second_factors.h"
#include "json/parse.h"

namespace tradepost::auth {
namespace {

std::span<const fields::Field<Credentials>> credentials_fields() {
    static const fields::Field<Credentials> fields[] = {
        {"email", fields::rules::required_text(identity::max_email_length), &Credentials::email},
        {"password", fields::rules::exact(identity::max_password_bytes), &Credentials::password},
        {"code", fields::rules::text(40), &Credentials::code},
    };
    return fields;
}

// Costs the same whether there is such a user or not. The answer does not depend on it.
void record(api::Call& call, const std::string& email, identity::SignInFault fault) noexcept try {
    const auto user = identity::Users(call.services.connection).find_by_email(email);
    const bool password = fault == identity::SignInFault::credentials;
    audit::record_failure(call.services.connection, call.services.clock.now(),
                          {.event = password ? audit::Event::sign_in_failed : audit::Event::second_factor_failed,
                           .user = user ? std::optional(user->id) : std::nullopt,
                           .detail = audit::loggable_email(email)});
} catch (const std::exception& error) {
    core::log::warning("audit_not_written", {{"error", error.what()}});
}

// Whole seconds until codes of the user with this address are looked at again.
std::int64_t seconds_closed(api::Call& call, const std::string& email) {
    const auto now = call.services.clock.now();
    const auto user = identity::Users(call.services.connection).find_by_email(email);
    if (!user) return 1;  // removed since the code was typed
    const auto opens_at = identity::SecondFactors(call.services.connection).opens_at(user->id, now);
    return std::max<std::int64_t>(1, std::chrono::ceil<std::chrono::seconds>(opens_at - now).count());
}

}  // namespace

Credentials::~Credentials() {
    OPENSSL_cleanse(password.data(), password.size());
}

Credentials read_credentials(api::Call& call, SignInFor purpose) {
    const auto fields = credentials_fields();
    auto& body = call.body();
    if (purpose == SignInFor::token)
        fields::refuse_unknown(body, fields, {"scopes"});
    else
        fields::refuse_unknown(body, fields);
    // Trimmed before its length is checked.
    if (const auto email = body.find("email"); email != body.end() && email->is_string())
        *email = core::trim(email->get_ref<const std::string&>());
    Credentials credentials;
    fields::read_fields(body, fields, credentials, fields::Reading::create);
    cleanse(body, "password");
    if (purpose == SignInFor::token) credentials.scopes = api::read_scopes(body);
    return credentials;
}

http::ApiError refusal(api::Call& call, const std::string& email, identity::SignInFault fault) {
    using enum identity::SignInFault;
    if (fault != code_missing) record(call, email, fault);
    switch (fault) {
        case credentials:
            return http::invalid_credentials();
        case code_missing:
            return http::code_required();
        case code_wrong:
            return http::invalid_code();
        case too_many_codes:
            break;
    }
    return {429,
            "Too many attempts. Please try again later.",
            "too many wrong codes of this user",
            {{"Retry-After", std::to_string(seconds_closed(call, email))}}};
}

void cleanse(json::Json& body, std::string_view name) {
    const auto found = body.find(name);
    if (found == body.end() || !found->is_string()) return;
    auto& text = found->get_ref<std::string&>();
    OPENSSL_cleanse(text.data(), text.size());
}

}  // namespace tradepost::auth
