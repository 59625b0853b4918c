// QR codes (ISO/IEC 18004), for cameras of phones.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tradepost::dashboard {

// The rows of the code for this text from the top, as texts of '1' for dark and '0' for light modules, without the quiet zone.
// Throws std::runtime_error when the text is too long.
std::vector<std::string> qr_code(std::string_view text);

}  // namespace tradepost::dashboard
