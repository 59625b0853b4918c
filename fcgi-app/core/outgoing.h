// Whether this process may send anything to the outside. That of a copy for tests may not: its data are another instance's.
#pragma once
#include <atomic>

namespace tradepost::core {

inline constexpr const char* nothing_is_sent = "nothing is sent from a copy";

inline std::atomic<bool> outgoing_is_forbidden = false;

// From now on net::perform() refuses all requests of this process. load_config() calls it, so that no program can forget to.
inline void forbid_outgoing() {
    outgoing_is_forbidden = true;
}

}  // namespace tradepost::core
