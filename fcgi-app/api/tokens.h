// API tokens in JSON, as all routes take and show them.
#pragma once
#include <optional>
#include <string>

#include "identity/tokens.h"
#include "json/value.h"
#include "json/writer.h"

namespace tradepost::api {

// What the body of a mint asks for.
struct AskedToken {
    std::string name;
    std::optional<identity::Scopes> scopes;  // none: all
};

// Throws 400.
AskedToken read_token(const json::Json& body);

// The members of a token, without its value, of an open object.
void write_token(json::Writer& writer, const identity::Token& token);

}  // namespace tradepost::api
