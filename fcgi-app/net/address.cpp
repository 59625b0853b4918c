#include "net/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <stdexcept>

namespace tradepost::net {
namespace {

Address mapped(const in_addr& address) {
    Address result{};
    result[10] = result[11] = 0xFF;
    std::memcpy(result.data() + 12, &address, 4);
    return result;
}

// An IPv4 address that stands in an IPv6 one from this byte on.
Address embedded(const Address& address, std::size_t from) {
    Address result{};
    result[10] = result[11] = 0xFF;
    std::copy_n(address.begin() + std::ptrdiff_t(from), 4, result.begin() + 12);
    return result;
}

std::vector<Network> networks(std::initializer_list<const char*> texts) {
    std::vector<Network> all;
    for (const auto* text : texts) all.push_back(parse_network(text).value());
    return all;
}

bool any(const std::vector<Network>& all, const Address& address) {
    return std::any_of(all.begin(), all.end(), [&](const auto& each) { return each.contains(address); });
}

// IANA's special-purpose registries, and what must not be a connection's end.
const std::vector<Network>& special_v4() {
    static const auto all =
        networks({"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
                  "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
                  "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"});
    return all;
}

// Of the global unicast addresses, 2000::/3: all others are none.
const std::vector<Network>& special_v6() {
    static const auto all = networks({"2001::/23", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20"});
    return all;
}

}  // namespace

std::optional<Address> parse_address(std::string_view text) {
    const std::string terminated(text);
    if (terminated.find('\0') != std::string::npos) return {};
    in_addr v4;
    if (inet_pton(AF_INET, terminated.c_str(), &v4) == 1) return mapped(v4);
    Address v6;
    if (inet_pton(AF_INET6, terminated.c_str(), v6.data()) == 1) return v6;
    return {};
}

std::optional<Address> address_of(const sockaddr& address) {
    if (address.sa_family == AF_INET) {
        sockaddr_in v4;
        std::memcpy(&v4, &address, sizeof v4);
        return mapped(v4.sin_addr);
    }
    if (address.sa_family == AF_INET6) {
        sockaddr_in6 v6;
        std::memcpy(&v6, &address, sizeof v6);
        Address result;
        std::memcpy(result.data(), &v6.sin6_addr, result.size());
        return result;
    }
    return {};
}

bool is_public(const Address& address) {
    static const auto v4 = parse_network("::ffff:0:0/96").value(), nat64 = parse_network("64:ff9b::/96").value(),
                      six_to_four = parse_network("2002::/16").value(), global = parse_network("2000::/3").value();
    if (v4.contains(address)) return !any(special_v4(), address);
    if (nat64.contains(address)) return is_public(embedded(address, 12));
    if (six_to_four.contains(address) && !is_public(embedded(address, 2))) return false;
    return global.contains(address) && !any(special_v6(), address);
}

bool Network::contains(const Address& other) const {
    const auto bytes = std::size_t(bits / 8);
    if (!std::equal(address.begin(), address.begin() + std::ptrdiff_t(bytes), other.begin())) return false;
    const int rest = bits % 8;
    return rest == 0 || ((address[bytes] ^ other[bytes]) >> (8 - rest)) == 0;
}

std::optional<Network> parse_network(std::string_view text) {
    const auto slash = text.find('/');
    const auto address = parse_address(text.substr(0, slash));
    if (!address) return {};
    const bool v4 = text.substr(0, slash).find(':') == std::string_view::npos;
    if (slash == std::string_view::npos) return Network{*address, 128};
    const auto digits = text.substr(slash + 1);
    int bits = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
    if (error != std::errc() || end != digits.data() + digits.size() || bits < 0 || bits > (v4 ? 32 : 128)) return {};
    return Network{*address, v4 ? bits + 96 : bits};
}

Networks::Networks(const std::vector<std::string>& texts) {
    for (const auto& text : texts) {
        const auto network = parse_network(text);
        if (!network) throw std::invalid_argument(text + " is no network such as 10.0.0.0/8");
        networks_.push_back(*network);
    }
}

bool Networks::contain(const Address& address) const {
    return any(networks_, address);
}

}  // namespace tradepost::net
