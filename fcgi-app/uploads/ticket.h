// The right to PUT the bytes of one upload, without any other credential.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "core/uuid.h"
#include "domain/upload.h"

namespace tradepost::uploads {

inline constexpr std::chrono::minutes ticket_lives{15};

// 64 characters for a URL. Bound to the upload's id, its time and the size and hash that were announced; signed with HMAC-SHA-256
// (RFC 2104) by `key`, 32 bytes.
std::string make_ticket(std::string_view key, const domain::Upload& upload);

// Whose it would be; empty for what has not the form of one.
std::optional<core::Uuid> ticket_names(std::string_view ticket);

// Whether it is that upload's, compared in constant time, and not too old. Says nothing of whether it is spent.
bool ticket_opens(std::string_view key, std::string_view ticket, const domain::Upload& upload, core::Time now);

}  // namespace tradepost::uploads
