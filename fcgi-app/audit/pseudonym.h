// What is left of a person in the audit log.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::audit {

// Puts `pseudonym` in the place of the user, takes the addresses and the names of tokens and former addresses off what the user did or was done to the account,
// and the email off what names it. `matches` tells whether a text is that email. Inside a transaction; returns how many rows changed.
std::uint64_t make_pseudonymous(db::Connection& connection, const std::optional<core::Uuid>& user, const core::Uuid& pseudonym,
                                const std::function<bool(std::string_view)>& matches);

}  // namespace tradepost::audit
