// The scopes of tokens in JSON.
#pragma once
#include <optional>

#include "identity/scopes.h"
#include "json/value.h"
#include "json/writer.h"

namespace tradepost::api {

// The member `scopes` of a body that asks for a token. None: it is absent or null, which means all. Throws 400.
std::optional<identity::Scopes> read_scopes(const json::Json& body);

// The member `scopes` of an open object: null for all.
void write_scopes(json::Writer& writer, const std::optional<identity::Scopes>& scopes);

}  // namespace tradepost::api
