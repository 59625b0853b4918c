// One test for each .case file below this folder, named by its path: `test-api --run_test=jobs/filters`.
#define BOOST_TEST_DYN_LINK
#define BOOST_TEST_NO_MAIN
#define BOOST_TEST_ALTERNATIVE_INIT_API
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <map>

#include "core/log.h"
#include "support/case_runner.h"

namespace {

using namespace tradepost;
namespace ut = boost::unit_test;

std::optional<test::CaseDatabases> databases;

void run(const std::string& path) {
    for (const auto& failure : test::run_case(test::read_case_file(path), *databases)) BOOST_ERROR("\n" << failure);
}

bool register_cases() {
    const std::filesystem::path root = "tests/api";
    std::map<std::string, ut::test_suite*> suites;
    for (const auto& path : test::find_case_files(root)) {
        const auto relative = std::filesystem::path(path).lexically_relative(root);
        auto*& suite = suites[relative.parent_path()];
        if (!suite) {
            suite = BOOST_TEST_SUITE(relative.parent_path().string());
            ut::framework::master_test_suite().add(suite);
        }
        suite->add(ut::make_test_case([path] { run(path); }, relative.stem().string(), path, 1));
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    databases.emplace();
    core::log::set_level(core::log::Level::error);
    const int result = ut::unit_test_main(register_cases, argc, argv);
    databases.reset();  // before the connector's own statics go
    return result;
}
