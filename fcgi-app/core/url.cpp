#include "core/url.h"

#include <algorithm>
#include <charconv>

#include "core/host.h"
#include "core/text.h"

namespace tradepost::core {
namespace {

constexpr std::string_view host_ends = "/?#";

bool is_port(std::string_view text) {
    unsigned port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc() && end == text.data() + text.size() && port <= 65535;
}

std::string percent_encoded(std::string_view text) {
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80)
            out += c;
        else
            out.append({'%', digits[byte >> 4], digits[byte & 15]});
    }
    return out;
}

}  // namespace

bool is_url(std::string_view text, bool http_too) {
    const std::string lower = lower_ascii(text.substr(0, 8));
    if (lower.starts_with("https://"))
        text.remove_prefix(8);
    else if (http_too && lower.starts_with("http://"))
        text.remove_prefix(7);
    else
        return false;
    if (std::any_of(text.begin(), text.end(),
                    [](unsigned char c) { return c <= ' ' || c == 0x7f || c == '"' || c == '<' || c == '>' || c == '\\'; }))
        return false;
    auto authority = text.substr(0, text.find_first_of(host_ends));
    if (const auto colon = authority.rfind(':'); colon != std::string_view::npos) {
        if (!is_port(authority.substr(colon + 1))) return false;
        authority = authority.substr(0, colon);
    }
    return is_host(authority);
}

std::optional<std::string> wire_url(std::string_view text) {
    if (std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80; })) return std::string(text);
    const auto scheme = text.find("://");
    if (scheme == std::string_view::npos) return {};
    auto host = scheme + 3;
    const auto end = std::min(text.find_first_of(host_ends, host), text.size());
    if (const auto user = text.substr(0, end).rfind('@'); user != std::string_view::npos && user >= host) host = user + 1;
    const auto authority = text.substr(host, end - host);
    const auto port = authority.ends_with(']') ? std::string_view::npos : authority.rfind(':');
    std::string name(authority.substr(0, port));
    if (!name.starts_with('[')) {
        auto ascii = ascii_name(name);
        if (!ascii) return {};
        name = std::move(*ascii);
    }
    return percent_encoded(text.substr(0, host)) + name +
           (port == std::string_view::npos ? "" : std::string(authority.substr(port))) + percent_encoded(text.substr(end));
}

}  // namespace tradepost::core
