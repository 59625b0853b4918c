#include "core/host.h"

#include <arpa/inet.h>
#include <idn2.h>

#include <algorithm>
#include <charconv>

#include "core/text.h"

namespace tradepost::core {
namespace {

constexpr std::size_t longest_label = 63, longest_name = 253;

bool is_label(std::string_view label) {
    if (label.empty() || label.size() > longest_label || label.front() == '-' || label.back() == '-') return false;
    return std::all_of(label.begin(), label.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    });
}

bool are_labels(std::string_view name) {
    if (name.size() > longest_name) return false;
    while (true) {
        const auto dot = name.find('.');
        if (!is_label(name.substr(0, dot))) return false;
        if (dot == std::string_view::npos || dot + 1 == name.size()) return true;
        name.remove_prefix(dot + 1);
    }
}

}  // namespace

std::optional<std::string> ascii_name(std::string_view host) {
    std::string name(host);
    if (name.find('\0') != std::string::npos) return {};
    if (std::any_of(host.begin(), host.end(), [](unsigned char c) { return c >= 0x80; })) {
        char* converted = nullptr;
        if (idn2_to_ascii_8z(name.c_str(), &converted, IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL) != IDN2_OK) return {};
        name = converted;
        idn2_free(converted);
    }
    if (!are_labels(name)) return {};
    return name;
}

bool is_host(std::string_view host) {
    return ascii_name(host).has_value();
}

bool is_public_name(std::string_view host) {
    auto name = ascii_name(host);
    if (!name) return false;
    if (name->ends_with('.')) name->pop_back();
    const auto dot = name->rfind('.');
    if (dot == std::string::npos) return false;
    const auto last = name->substr(dot + 1);
    return lower_ascii(last) != "localhost" && last.find_first_not_of("0123456789") != std::string::npos;
}

bool is_this_host(const std::string& host) {
    in_addr v4{};
    in6_addr v6{};
    if (host.empty() || host == "localhost") return true;
    if (inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
    return inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

bool is_address(const std::string& host) {
    in6_addr any{};
    return inet_pton(AF_INET, host.c_str(), &any) == 1 || inet_pton(AF_INET6, host.c_str(), &any) == 1;
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
