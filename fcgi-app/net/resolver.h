// Resolution of host names within a time limit. The limit of Debian's libcurl does not cover its resolver, and a thread in getaddrinfo()
// cannot be ended: so this is c-ares.
#pragma once
#include <chrono>
#include <string>
#include <vector>

namespace tradepost::net {

struct Resolved {
    std::vector<std::string>
        addresses;  // as text, the preferred one first; empty: the name is not known, or was not resolved in time
    bool timed_out = false;
};

// Asks /etc/hosts and the servers of /etc/resolv.conf; other sources of nsswitch.conf are not asked. `host` is a name in ASCII. Returns at
// `deadline` at the latest, and leaves no thread behind. Thread-safe.
Resolved resolve(const std::string& host, std::chrono::steady_clock::time_point deadline);

}  // namespace tradepost::net
