// Credentials: email and password in the body of a sign-in.
#pragma once
#include <optional>
#include <string>

#include "api/call.h"
#include "http/error.h"

namespace tradepost::auth {

// Overwrites the password in its destructor.
struct Credentials {
    Credentials() = default;
    Credentials(Credentials&&) = default;
    ~Credentials();
    std::string email, password;
    std::optional<std::string> code;
    std::optional<identity::Scopes> scopes;  // of the token, when one is asked for; none: all

    identity::SignInAttempt attempt() const { return {email, password, code}; }
};

// The error of a sign-in that failed. Records it in the audit log.
http::ApiError refusal(api::Call& call, const std::string& email, identity::SignInFault fault);

// {email, password, code?}, and of a token scopes?. The address is trimmed and its form not checked, since no user has a malformed one. Overwrites the password in
// the body. Throws 400 for an unknown, missing or invalid field.
enum class SignInFor { token, session };
Credentials read_credentials(api::Call& call, SignInFor purpose);

// Overwrites the text of a member of a body, if it is a string.
void cleanse(json::Json& body, std::string_view name);

}  // namespace tradepost::auth
