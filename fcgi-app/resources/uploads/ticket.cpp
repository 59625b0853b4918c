#include "resources/uploads/ticket.h"

#include "core/base64.h"
#include "core/hmac.h"
#include "core/present.h"

namespace tradepost::uploads {
namespace {

constexpr std::size_t ticket_length = 64;

void append(std::string& to, std::uint64_t number) {
    for (int shift = 56; shift >= 0; shift -= 8) to += char(number >> shift);
}

}  // namespace

std::string make_ticket(std::string_view key, const Upload& upload) {
    std::string message = "upload ticket 1";
    message += upload.id.bytes();
    append(message, std::uint64_t(upload.created_at.time_since_epoch().count()));
    append(message, std::uint64_t(core::present(upload.sent_size)));
    message += core::present(upload.sent_hash);
    return core::to_base64url(std::string(upload.id.bytes()).append(core::hmac_sha256(key, message)));
}

std::optional<core::Uuid> ticket_upload_id(std::string_view ticket) {
    if (ticket.size() != ticket_length) return {};
    const auto bytes = core::from_base64url(ticket);
    if (!bytes) return {};
    return core::Uuid::from_bytes(std::string_view(*bytes).substr(0, 16));
}

bool verify_ticket(std::string_view key, std::string_view ticket, const Upload& upload, core::Time now) {
    if (!upload.sent_size || !upload.sent_hash || ticket.size() != ticket_length) return false;
    return core::equal_constant_time(make_ticket(key, upload), ticket) && now < upload.created_at + ticket_lifetime;
}

}  // namespace tradepost::uploads
