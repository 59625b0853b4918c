#include "core/config_argument.h"

#include <getopt.h>

#include <iostream>

namespace tradepost::core {

std::variant<std::string, int> config_argument(int argc, char** argv, const char* usage, const std::string& version) {
    constexpr option options[] = {{"config", required_argument, nullptr, 'c'},
                                  {"instance", required_argument, nullptr, 'i'},
                                  {"help", no_argument, nullptr, 'h'},
                                  {"version", no_argument, nullptr, 'v'},
                                  {}};
    std::string file;
    for (int given; (given = getopt_long(argc, argv, "", options, nullptr)) != -1;) {
        if (given == 'h') return std::cout << usage, 0;
        if (given == 'v') return std::cout << version << "\n", 0;
        if (given == '?' || !file.empty()) return std::cerr << usage, 2;
        file = given == 'c' ? optarg : "/etc/tradepost/" + std::string(optarg) + ".toml";
    }
    if (optind != argc) return std::cerr << usage, 2;
    return file.empty() ? "/etc/tradepost/default.toml" : file;
}

}  // namespace tradepost::core
