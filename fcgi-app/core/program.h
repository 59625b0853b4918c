// Identifies the running program.
#pragma once
#include <string>

namespace tradepost::core {

// 16 raw bytes, the same in all processes of one build and different in another. Empty when the program's file cannot be read.
const std::string& program_hash();

}  // namespace tradepost::core
