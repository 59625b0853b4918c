#include "core/host.h"

#include <arpa/inet.h>

#include <charconv>

namespace tradepost::core {

bool is_this_host(const std::string& host) {
    in_addr v4{};
    in6_addr v6{};
    if (host.empty() || host == "localhost") return true;
    if (inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
    return inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

std::optional<Endpoint> parse_endpoint(std::string_view text, std::uint16_t default_port) {
    Endpoint found{std::string(text), default_port};
    const auto colon = text.rfind(':');
    const bool bare_ipv6 = !text.starts_with('[') && text.find(':') != colon;
    if (colon != text.npos && !bare_ipv6 && !text.ends_with(']')) {
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, found.port);
        if (error != std::errc() || stop != end || found.port == 0) return {};
        found.host = text.substr(0, colon);
    }
    if (found.host.starts_with('[') && found.host.ends_with(']')) found.host = found.host.substr(1, found.host.size() - 2);
    if (found.host.empty() || found.host.find_first_of("[]/") != std::string::npos) return {};
    return found;
}

}  // namespace tradepost::core
