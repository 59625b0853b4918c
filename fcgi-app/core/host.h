// Names and addresses of hosts.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tradepost::core {

// True for localhost, 127.0.0.0/8 and ::1, and for the empty name. Nothing is resolved.
bool is_this_host(const std::string& host);

struct Endpoint {
    std::string host;
    std::uint16_t port;
};

// Reads HOST, HOST:PORT, IPV6, [IPV6] and [IPV6]:PORT; anything else gives none. Nothing is resolved.
std::optional<Endpoint> parse_endpoint(std::string_view text, std::uint16_t default_port);

}  // namespace tradepost::core
