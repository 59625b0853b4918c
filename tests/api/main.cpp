// One test for each .case file below this folder, named by its path: `test-api --run_test=filters/stock`. Files that search have another
// test with a search server: `test-api --run_test=sphinx/search/stock`.
#define BOOST_TEST_DYN_LINK
#define BOOST_TEST_NO_MAIN
#define BOOST_TEST_ALTERNATIVE_INIT_API
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <map>

#include "core/log.h"
#include "support/case_runner.h"
#include "support/search_server.h"

namespace {

using namespace tradepost;
namespace ut = boost::unit_test;

std::optional<test::CaseDatabases> databases;
std::optional<test::SearchServer> search_server;

void run(const std::string& path, bool with_search_server) {
    if (with_search_server && !search_server) search_server.emplace();
    const auto* server = with_search_server ? &*search_server : nullptr;
    for (const auto& failure : test::run_case(test::read_case_file(path), *databases, server)) BOOST_ERROR("\n" << failure);
}

bool register_cases() {
    const std::filesystem::path root = "tests/api";
    std::map<std::string, ut::test_suite*> suites;
    auto* const sphinx = BOOST_TEST_SUITE("sphinx");
    for (const auto& path : test::find_case_files(root)) {
        const auto relative = std::filesystem::path(path).lexically_relative(root);
        const auto add = [&](ut::test_suite& to, const std::string& name, bool with_search_server) {
            auto*& suite = suites[name];
            if (!suite) to.add(suite = BOOST_TEST_SUITE(relative.parent_path().string()));
            suite->add(ut::make_test_case([=] { run(path, with_search_server); }, relative.stem().string(), path, 1));
        };
        add(ut::framework::master_test_suite(), relative.parent_path(), false);
        if (test::searches(test::read_case_file(path))) add(*sphinx, "sphinx/" + relative.parent_path().string(), true);
    }
    ut::framework::master_test_suite().add(sphinx);
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    databases.emplace();
    core::log::set_level(core::log::Level::error);
    const int result = ut::unit_test_main(register_cases, argc, argv);
    search_server.reset();
    databases.reset();  // before the connector's own statics go
    return result;
}
