// Names and addresses of hosts.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tradepost::core {

// True for localhost, 127.0.0.0/8 and ::1, and for the empty name. Nothing is resolved.
bool is_this_host(const std::string& host);

// The host's name in ASCII, as DNS and certificates have it: labels joined by single dots (RFC 1123, section 2.1), international ones as
// A-labels (IDNA 2008 with the mapping of UTS 46). One dot may end it. Empty for what is no such name. Nothing is resolved.
std::optional<std::string> ascii_name(std::string_view host);

// Whether ascii_name() takes it.
bool is_host(std::string_view host);

// A host's name that means the same to other hosts: it has a dot, and is neither an IPv4 address nor below localhost.
bool is_public_name(std::string_view host);

// True for an IPv4 or IPv6 address, without brackets.
bool is_address(const std::string& host);

struct Endpoint {
    std::string host;
    std::uint16_t port;
};

// Reads HOST, HOST:PORT, IPV6, [IPV6] and [IPV6]:PORT; anything else gives none. Nothing is resolved.
std::optional<Endpoint> parse_endpoint(std::string_view text, std::uint16_t default_port);

}  // namespace tradepost::core
