// Credentials: email and password in the body of a sign-in.
#pragma once
#include <string>

#include "api/call.h"

namespace tradepost::auth {

// Overwrites the password in its destructor.
struct Credentials {
    Credentials() = default;
    Credentials(Credentials&&) = default;
    ~Credentials();
    std::string email, password;
};

// {email, password}. The address is trimmed and its form not checked, since no user has a malformed one. Overwrites the password in
// the body. Throws 400 for an unknown, missing or invalid field.
Credentials read_credentials(api::Call& call);

// Overwrites the text of a member of a body, if it is a string.
void cleanse(json::Json& body, const char* name);

}  // namespace tradepost::auth
