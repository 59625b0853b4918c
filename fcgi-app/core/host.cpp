#include "core/host.h"

#include <arpa/inet.h>

namespace tradepost::core {

bool is_this_host(const std::string& host) {
    in_addr v4{};
    in6_addr v6{};
    if (host.empty() || host == "localhost") return true;
    if (inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
    return inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

}  // namespace tradepost::core
