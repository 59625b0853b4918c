// The command line of programs that serve one instance: --config FILE or --instance NAME, or nothing for the default instance.
#pragma once
#include <string>
#include <variant>

namespace tradepost::core {

// Returns the path of the configuration file. Or prints `usage` or the line `version` and returns the exit status: 0 for --help and
// --version, 2 for a wrong command line.
std::variant<std::string, int> config_argument(int argc, char** argv, const char* usage, const std::string& version);

}  // namespace tradepost::core
