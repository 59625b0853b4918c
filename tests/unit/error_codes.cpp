// Codes of errors: each text of the source has one, and the description explains each.
#include "http/error_codes.h"

#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using namespace tradepost;

namespace {

// What stands in the source as the first text of `function`, with its beginning as clients see it.
std::set<std::string> texts(const std::string& function, const std::string& beginning) {
    const std::regex wanted("\\b" + function + "\\(\"([^\"]+)\"");
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator("fcgi-app")) {
        const auto extension = entry.path().extension();
        if (extension != ".cpp" && extension != ".h") continue;
        std::stringstream source;
        source << std::ifstream(entry.path()).rdbuf();
        const auto text = source.str();
        for (std::sregex_iterator at(text.begin(), text.end(), wanted), end; at != end; ++at)
            found.insert(beginning + (*at)[1].str());
    }
    return found;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(error_codes)

BOOST_AUTO_TEST_CASE(each_text_has_a_code) {
    auto all = texts("ApiError(?:\\s+\\w+)?\\(?\\d{3}, ", "");
    for (const auto& conflict : texts("conflict", "Conflict: ")) all.insert(conflict);
    std::stringstream source;
    source << std::ifstream("fcgi-app/http/error.h").rdbuf();
    const auto text = source.str();
    const std::regex fixed("return \\{\\d{3}, \"([^\"]+)\"");
    for (std::sregex_iterator at(text.begin(), text.end(), fixed), end; at != end; ++at) all.insert((*at)[1].str());
    BOOST_TEST(all.size() > 40U);
    for (const auto& each : all) BOOST_TEST(http::error_code(0, each) != "refused", each);
}

BOOST_AUTO_TEST_CASE(rows_are_reached) {
    for (const auto& [text, code] : http::error_codes()) BOOST_TEST(http::error_code(0, text) == code, text);
    for (const auto& [text, code] : http::fault_codes()) BOOST_TEST(http::fault_code(text) == code, text);
    BOOST_TEST(http::fault_code("must be whatever") == http::other_fault);
    BOOST_TEST(http::error_code(503, "whatever") == "internal_error");
}

BOOST_AUTO_TEST_CASE(each_code_is_explained) {
    std::set<std::string> codes{std::string(http::other_fault)}, explained;
    for (const auto& row : http::error_codes()) codes.emplace(row.code);
    for (const auto& row : http::fault_codes()) codes.emplace(row.code);
    for (const auto& entry : YAML::LoadFile("nginx/www/openapi.yaml")["x-error-codes"])
        explained.insert(entry.first.as<std::string>());
    BOOST_TEST(codes == explained, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
