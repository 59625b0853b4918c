#include "uploads/ticket.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <stdexcept>

#include "core/base64.h"

namespace tradepost::uploads {
namespace {

constexpr std::size_t ticket_length = 64;

void append(std::string& to, std::uint64_t number) {
    for (int shift = 56; shift >= 0; shift -= 8) to += char(number >> shift);
}

}  // namespace

std::string make_ticket(std::string_view key, const domain::Upload& upload) {
    std::string message = "upload ticket 1";
    message += upload.id.bytes();
    append(message, std::uint64_t(upload.created_at.time_since_epoch().count()));
    append(message, std::uint64_t(upload.sent_size.value()));
    message += upload.sent_hash.value();
    unsigned char mac[32];
    unsigned length = sizeof mac;
    if (!HMAC(EVP_sha256(), key.data(), int(key.size()), reinterpret_cast<const unsigned char*>(message.data()), message.size(),
              mac, &length))
        throw std::runtime_error("HMAC failed");
    return core::to_base64url(std::string(upload.id.bytes()).append(reinterpret_cast<const char*>(mac), sizeof mac));
}

std::optional<core::Uuid> ticket_names(std::string_view ticket) {
    if (ticket.size() != ticket_length) return {};
    const auto bytes = core::from_base64url(ticket);
    if (!bytes) return {};
    return core::Uuid::from_bytes(std::string_view(*bytes).substr(0, 16));
}

bool ticket_opens(std::string_view key, std::string_view ticket, const domain::Upload& upload, core::Time now) {
    if (!upload.sent_size || !upload.sent_hash || ticket.size() != ticket_length) return false;
    const auto right = make_ticket(key, upload);
    return CRYPTO_memcmp(right.data(), ticket.data(), ticket_length) == 0 && now < upload.created_at + ticket_lives;
}

}  // namespace tradepost::uploads
