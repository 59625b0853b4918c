// Upload tickets: a ticket permits a PUT of the bytes of one upload without any other credential.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "core/uuid.h"
#include "resources/uploads/upload.h"

namespace tradepost::uploads {

inline constexpr std::chrono::minutes ticket_lifetime{15};

// 64 characters for a URL. Bound to the upload's id, its time and the announced size and hash; signed with HMAC-SHA-256 (RFC 2104)
// by `key`, 32 bytes.
std::string make_ticket(std::string_view key, const Upload& upload);

// The id of the upload in a ticket, not verified; empty when this is no ticket.
std::optional<core::Uuid> ticket_upload_id(std::string_view ticket);

// Whether the ticket is for that upload and has not expired, compared in constant time. A ticket that was used is still valid here.
bool verify_ticket(std::string_view key, std::string_view ticket, const Upload& upload, core::Time now);

}  // namespace tradepost::uploads
