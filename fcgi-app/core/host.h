// Names of machines.
#pragma once
#include <string>

namespace tradepost::core {

// True for names and addresses of this machine: localhost, 127.0.0.0/8, ::1. Nothing is resolved.
bool is_this_host(const std::string& host);

}  // namespace tradepost::core
