// The command line of programs that serve one instance: --config FILE or --instance NAME, or nothing for the default instance.
#pragma once
#include <string>
#include <variant>

namespace tradepost::core {

// The path of the configuration file; or the exit status, after `usage` was printed: 0 for --help, 2 for a wrong command line.
std::variant<std::string, int> config_argument(int argc, char** argv, const char* usage);

}  // namespace tradepost::core
