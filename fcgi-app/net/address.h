// Which addresses the product may connect to when somebody else names them: public ones, so that nobody reaches into the operator's network.
#pragma once
#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tradepost::net {

// An address with an IPv4 one as ::ffff:a.b.c.d, so that there is one form of each.
using Address = std::array<std::uint8_t, 16>;

// 192.0.2.1 or 2001:db8::1; empty for anything else, an interface's name (%eth0) included.
std::optional<Address> parse_address(std::string_view text);

// Empty for other families.
std::optional<Address> address_of(const sockaddr& address);

// Whether it is one host's in the public internet. Not: this host, private and shared networks, links, multicast, documentation, reserved
// ranges (IANA's special-purpose registries), and forms of IPv6 that carry such an IPv4 address: mapped, NAT64, 6to4, Teredo.
bool is_public(const Address& address);

struct Network {
    Address address;
    int bits;  // of the 128
    bool contains(const Address& other) const;
};

// ADDRESS/BITS or ADDRESS, such as 10.0.0.0/8; empty for anything else.
std::optional<Network> parse_network(std::string_view text);

// Networks that an operator allows beside the public ones.
class Networks {
public:
    Networks() = default;
    // Throws std::invalid_argument for what is no network.
    explicit Networks(const std::vector<std::string>& texts);

    bool contain(const Address& address) const;

private:
    std::vector<Network> networks_;
};

}  // namespace tradepost::net
