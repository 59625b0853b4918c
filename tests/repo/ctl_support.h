// tradepostctl as its users call it, within the test's process.
#pragma once
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "ctl/command_line.h"
#include "repo/import_support.h"

namespace tradepost::test {

struct CtlResult {
    int code;
    std::string out, error;
};

struct CtlFixture : ImportFixture {
    CtlFixture() {
        const auto& c = database.config();
        std::ofstream file(config);
        file << "[database]\n"
             << (c.socket.empty() ? "host = \"" + c.host + "\"\nport = " + std::to_string(c.port)
                                  : "socket = \"" + c.socket + "\"")
             << "\nname = \"" << c.name << "\"\nuser = \"" << c.user << "\"\npassword = \"" << c.password
             << "\"\n[auth]\nargon2_memory_kib = 8192\nargon2_passes = 1\n"
             << "[uploads]\ndirectory = \"" << config << ".uploads\"\n[rate_limits]\nfile = \"" << config << ".limits\"\n";
        file.close();
        std::filesystem::create_directory(config + ".uploads");
        std::filesystem::permissions(config, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    }
    ~CtlFixture() {
        std::filesystem::remove(config);
        std::filesystem::remove_all(config + ".uploads");
    }

    CtlResult bare(std::vector<std::string> arguments, const std::string& input = "") {
        std::istringstream in(input);
        std::ostringstream out, error;
        auto* const in_before = std::cin.rdbuf(in.rdbuf());
        auto* const out_before = std::cout.rdbuf(out.rdbuf());
        auto* const error_before = std::cerr.rdbuf(error.rdbuf());
        std::cin.clear();
        std::vector<const char*> argv{"tradepostctl"};
        for (const auto& argument : arguments) argv.push_back(argument.c_str());
        const int code = ctl::run(int(argv.size()), argv.data());
        std::cin.rdbuf(in_before);
        std::cout.rdbuf(out_before);
        std::cerr.rdbuf(error_before);
        const CtlResult result{code, out.str(), error.str()};
        BOOST_TEST(std::count(result.error.begin(), result.error.end(), '\n') == (result.error.empty() ? 0 : 1), result.error);
        return result;
    }
    CtlResult ctl(std::vector<std::string> arguments, const std::string& input = "") {
        arguments.insert(arguments.begin(), {"--config", config});
        return bare(std::move(arguments), input);
    }
    void fails(const CtlResult& result, int code, const std::string& part) {
        BOOST_TEST(result.code == code);
        BOOST_TEST(result.out == "");
        BOOST_TEST(result.error.find(part) != std::string::npos, result.error << " lacks " << part);
    }

    std::string config = path + ".toml";
};

}  // namespace tradepost::test
