// Web addresses as clients write them, and as requests to them are sent.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace tradepost::core {

// Whether it is an absolute https address, or http if `http_too`: scheme://host[:port][/…], without a user name, white space and control
// characters. The host is a name (core/host.h) or an IPv4 address.
bool is_url(std::string_view text, bool http_too);

// The same address in ASCII: the host's name as DNS has it, other characters percent-encoded (RFC 3987, section 3.1). Text in ASCII comes
// back as it is, whatever it holds. Empty when the host cannot be written in ASCII. Every request to the outside uses it (net/handle.h).
std::optional<std::string> wire_url(std::string_view text);

}  // namespace tradepost::core
