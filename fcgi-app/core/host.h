// Recognises names of this host.
#pragma once
#include <string>

namespace tradepost::core {

// True for localhost, 127.0.0.0/8 and ::1, and for the empty name. Nothing is resolved.
bool is_this_host(const std::string& host);

}  // namespace tradepost::core
