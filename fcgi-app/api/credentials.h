// Email and password in the body of a sign-in.
#pragma once
#include <string>

#include "api/call.h"

namespace tradepost::api {

// Overwrites the password when it goes.
struct Credentials {
    Credentials() = default;
    Credentials(Credentials&&) = default;
    ~Credentials();
    std::string email, password;
};

// {email, password}: the address trimmed, its form not looked at, since what is no address is nobody's. Overwrites the password
// in the body. Throws 400 for another field, or one that is missing or wrong.
Credentials read_credentials(Call& call);

// Overwrites the text of a member of a body that is a string.
void cleanse(json::Json& body, const char* name);

}  // namespace tradepost::api
