// Requests to a relay: a program of the operator's that hands messages on to the push services of telephones, which want the app's own keys.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/uuid.h"

namespace tradepost::push {

// The headers that sign a request as those of Standard Webhooks (https://www.standardwebhooks.com) do: webhook-id, -timestamp and -signature.
// `sent_at`: seconds since 1970.
std::vector<std::string> signed_headers(std::string_view secret, const core::Uuid& id, std::int64_t sent_at,
                                        std::string_view body);

}  // namespace tradepost::push
