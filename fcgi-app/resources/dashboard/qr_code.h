// QR codes (ISO/IEC 18004), for cameras of phones, and what one of them says.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tradepost::dashboard {

// The rows of the code for this text from the top, as texts of '1' for dark and '0' for light modules, without the quiet zone.
// Throws std::runtime_error when the text is too long.
std::vector<std::string> qr_code(std::string_view text);

// What authenticator apps read from a QR code (the "Key Uri Format" that they share): the host of `base_url`, which users know the service by, as
// issuer, and the account. `secret` is in Base32. A colon parts issuer and account, and some apps refuse another one, so the port is left out and
// "-" replaces each colon of an IPv6 address or an account.
std::string app_uri(std::string_view base_url, std::string_view account, std::string_view secret);

}  // namespace tradepost::dashboard
