#include "identity/diagnosis_pass.h"

#include "core/base64.h"
#include "core/crypto.h"

namespace tradepost::identity {
namespace {

constexpr std::size_t time_bytes = 8, random_bytes = 16, mac_bytes = 32;

std::string mac(std::string_view key, std::string_view signed_part) {
    return core::hmac_sha256(key, std::string("diagnosis pass 1").append(signed_part));
}

}  // namespace

std::string make_pass(std::string_view key, core::Time now) {
    std::string bytes;
    const auto milliseconds = std::uint64_t(now.time_since_epoch().count());
    for (int shift = 56; shift >= 0; shift -= 8) bytes += char(milliseconds >> shift);
    bytes += core::random_bytes(random_bytes);
    return core::to_base64url(bytes + mac(key, bytes));
}

bool has_pass_form(std::string_view pass, core::Time now) {
    const auto bytes = core::from_base64url(pass);
    if (!bytes || bytes->size() != time_bytes + random_bytes + mac_bytes) return false;
    std::uint64_t milliseconds = 0;
    for (std::size_t i = 0; i < time_bytes; ++i) milliseconds = milliseconds << 8 | static_cast<unsigned char>((*bytes)[i]);
    const auto at = std::int64_t(milliseconds);
    if (at < 0) return false;
    const auto age = now.time_since_epoch().count() - at;
    return age > -std::chrono::milliseconds(pass_lifetime).count() && age < std::chrono::milliseconds(pass_lifetime).count();
}

bool verify_pass(std::string_view key, std::string_view pass) {
    const auto bytes = core::from_base64url(pass);
    if (!bytes || bytes->size() != time_bytes + random_bytes + mac_bytes) return false;
    const auto signed_part = std::string_view(*bytes).substr(0, time_bytes + random_bytes);
    return core::equal_constant_time(mac(key, signed_part), std::string_view(*bytes).substr(signed_part.size()));
}

}  // namespace tradepost::identity
