// The program that runs.
#pragma once
#include <string>

namespace tradepost::core {

// 16 raw bytes that differ between builds; the same in all processes of one. Empty when the program's file cannot be read.
const std::string& program_hash();

}  // namespace tradepost::core
