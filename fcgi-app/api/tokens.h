// API tokens in JSON, as all routes take and show them.
#pragma once
#include <optional>
#include <string>

#include "identity/tokens/scopes.h"
#include "identity/tokens/tokens.h"
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

// The scopes of tokens in JSON.

// The member `scopes` of a body that asks for a token. None: it is absent or null, which means all. Throws 400.
std::optional<identity::Scopes> read_scopes(const json::Json& body);

// The member `scopes` of an open object: null for all.
void write_scopes(json::Writer& writer, const std::optional<identity::Scopes>& scopes);

}  // namespace tradepost::api
