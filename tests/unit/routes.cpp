#include "resources/routes.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using namespace tradepost;
using api::Access;
using Kind = api::Needs;

namespace {

std::string name(const api::Route& route) {
    return std::string(route.method) + " " + route.path;
}

// Others are for nginx and for tradepostctl.
bool is_described(const api::Route& route) {
    return !route.path.starts_with("/check/") && !route.path.starts_with("/api/v1/diagnosis/");
}

std::string upper(std::string text) {
    for (char& c : text) c = char(std::toupper(static_cast<unsigned char>(c)));
    return text;
}
std::string lower(std::string text) {
    for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

identity::Token token_with(identity::Scopes scopes) {
    identity::Token token{};
    token.scopes = std::move(scopes);
    return token;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(routes_and_scopes)

// A row that leaves out its rules is closed to tokens with scopes, and limited. tests/repo/routes.txt has the whole table.
BOOST_AUTO_TEST_CASE(a_row_that_says_nothing_is_closed_and_limited) {
    const auto answer = [](api::Call&) { return http::Response(); };
    const api::Route reads("GET", "/x", answer), writes("POST", "/x", answer);
    for (const auto* route : {&reads, &writes}) {
        BOOST_TEST((route->rules.access == Access::bearer));
        BOOST_TEST((route->rules.needs.kind == Kind::all));
        BOOST_TEST(route->rules.body == 0u);
    }
    BOOST_TEST((reads.rules.limit == api::RateClass::none && reads.rules.cost == limits::Cost::cheap));
    BOOST_TEST((writes.rules.limit == api::RateClass::writes && writes.rules.cost == limits::Cost::write));
    BOOST_TEST((api::Route("POST", "/x", answer, {.limit = api::RateClass::auth}).rules.cost == limits::Cost::hash));
}

// A write that counts nowhere says so, and why.
BOOST_AUTO_TEST_CASE(a_write_has_a_limit) {
    for (const auto& route : routes())
        BOOST_TEST_CONTEXT(name(route)) BOOST_TEST((route.method == "GET" || route.rules.limit != api::RateClass::none));
}

BOOST_AUTO_TEST_CASE(a_scope_fits_its_route) {
    const std::map<std::string, std::string> resources{
        {"/api/v1/jobs", "jobs"}, {"/api/v1/stock", "stock"}, {"/api/v1/enquiries", "enquiries"}};
    for (const auto& route : routes()) {
        BOOST_TEST_CONTEXT(name(route)) {
            if (!api::takes_token(route.rules.access)) {
                BOOST_TEST((route.rules.needs.kind == Kind::nothing));
                continue;
            }
            if (route.rules.needs.kind != Kind::scope) continue;
            const std::string scope(route.rules.needs.text()), method(route.method), path = route.path;
            // There is no uploads:read.
            const bool reads = method == "GET" && scope != "uploads:write";
            BOOST_TEST(scope.ends_with(reads ? ":read" : ":write"));
            for (const auto& [prefix, resource] : resources)
                if (path == prefix || path.starts_with(prefix + "/")) BOOST_TEST(scope.starts_with(resource + ":"));
        }
    }
}

// The description has the routes of the table, and what nginx answers by itself.
BOOST_AUTO_TEST_CASE(the_description_has_the_same_routes) {
    std::set<std::string> described, expected{"GET /uploads/{folder}/{file}", "GET /uploads/{folder}/{file}/{name}",
                                              "GET /api/v1/openapi.yaml", "GET /api/v1/openapi.json"};
    const auto paths = YAML::LoadFile("nginx/www/openapi.yaml")["paths"];
    for (const auto& path : paths)
        for (const auto& operation : path.second)
            if (auto method = operation.first.as<std::string>(); method != "parameters")
                described.insert(upper(std::move(method)) + " " + path.first.as<std::string>());
    for (const auto& route : routes())
        if (is_described(route)) expected.insert(name(route));
    BOOST_TEST(described == expected, boost::test_tools::per_element());
}

// `security` says who may call: nobody in particular, a token with its scope ("all" when no scope is enough), a session, with its CSRF token to write.
BOOST_AUTO_TEST_CASE(the_description_names_the_same_callers) {
    const auto paths = YAML::LoadFile("nginx/www/openapi.yaml")["paths"];
    for (const auto& route : routes()) {
        if (!is_described(route)) continue;
        const auto operation = paths[route.path][lower(std::string(route.method))];
        std::set<std::string> described, expected;
        for (const auto& choice : operation["security"]) {
            std::string text = "anybody";
            if (const auto scopes = choice["token"]) text = "token " + (scopes.size() == 1 ? scopes[0].as<std::string>() : "");
            if (choice["session"]) text = choice["csrf"] ? "session and csrf" : "session";
            described.insert(text);
        }
        const auto& rules = route.rules;
        if (api::is_optional(rules.access)) expected.insert("anybody");
        if (api::takes_token(rules.access) && !route.path.starts_with("/dashboard/"))
            expected.insert("token " + std::string(rules.needs.kind == Kind::all ? "all" : rules.needs.text()));
        if (api::takes_session(rules.access)) expected.insert(route.method == "GET" ? "session" : "session and csrf");
        BOOST_TEST_CONTEXT(name(route)) {
            BOOST_TEST(described == expected, boost::test_tools::per_element());
            // nginx keeps the bodies of feeds and tickets.
            if (rules.body > 0) BOOST_TEST(bool(operation["requestBody"]));
        }
    }
}

// What a write reads of the query is what the description offers: everything else is refused.
BOOST_AUTO_TEST_CASE(the_description_names_the_same_parameters_of_writes) {
    const auto root = YAML::LoadFile("nginx/www/openapi.yaml");
    const auto resolved = [&](const YAML::Node& parameter) {
        const auto name_or_reference = parameter.IsScalar() ? parameter : parameter["$ref"];
        if (!name_or_reference) return parameter;
        const auto path = name_or_reference.as<std::string>();
        return root["components"]["parameters"][path.substr(path.rfind('/') + 1)];
    };
    for (const auto& route : routes()) {
        const std::string method(route.method), path = route.path;
        if (method == "GET" || path.starts_with("/check/")) continue;
        const auto name_of_method = lower(method);
        std::set<std::string> described;
        for (const auto& parameters : {root["paths"][path]["parameters"], root["paths"][path][name_of_method]["parameters"]})
            for (const auto& each : parameters)
                if (const auto parameter = resolved(each); parameter["in"].as<std::string>() == "query")
                    described.insert(parameter["name"].as<std::string>());
        const std::set<std::string> read(route.rules.parameters.begin(), route.rules.parameters.end());
        BOOST_TEST_CONTEXT(name(route)) BOOST_TEST(read == described, boost::test_tools::per_element());
    }
}

// A client that read a resource's tag may write with it. The others are listed here: their GET shows something else than they change.
BOOST_AUTO_TEST_CASE(what_is_read_with_a_tag_is_written_with_it) {
    std::set<std::string> read, found;
    for (const auto& route : routes())
        if (route.method == std::string_view("GET")) read.insert(route.path);
    for (const auto& route : routes()) {
        const std::string_view method = route.method;
        if (method == "GET" || method == "POST" || !read.contains(route.path)) continue;
        if (!route.rules.is_tagged) found.insert(name(route));
    }
    const std::set<std::string> expected{"DELETE /dashboard/api/session", "DELETE /dashboard/api/sessions",
                                         "DELETE /dashboard/api/email", "PUT /dashboard/api/second-factor",
                                         "DELETE /dashboard/api/second-factor"};
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_route_that_names_nothing_is_closed) {
    const api::Needs unnamed;
    identity::Scopes all;
    for (std::size_t i = 0; i < identity::scope_names.size(); ++i) all.insert(identity::Scope(i));
    BOOST_TEST(!unnamed.met_by(token_with(all)));
    BOOST_TEST(unnamed.met_by(identity::Token{}));
    BOOST_TEST(unnamed.text() == "");
}

BOOST_AUTO_TEST_CASE(to_write_includes_to_read_the_same) {
    using enum identity::Scope;
    BOOST_TEST(api::Needs(stock_read).met_by(token_with({stock_write})));
    BOOST_TEST(api::Needs(jobs_read).met_by(token_with({jobs_write})));
    BOOST_TEST(api::Needs(enquiries_read).met_by(token_with({enquiries_write})));
    BOOST_TEST(api::Needs(account_read).met_by(token_with({account_write})));
    BOOST_TEST(!api::Needs(stock_write).met_by(token_with({stock_read})));
    BOOST_TEST(!api::Needs(stock_read).met_by(token_with({jobs_write, uploads_write})));
    BOOST_TEST(!api::Needs(Kind::all).met_by(token_with({account_write})));
    BOOST_TEST(api::Needs(Kind::nothing).met_by(token_with({})));
}

BOOST_AUTO_TEST_CASE(scopes_are_stored_as_text) {
    using enum identity::Scope;
    BOOST_TEST(identity::to_text({uploads_write, stock_read, account_read}) == "account:read stock:read uploads:write");
    BOOST_TEST((identity::parse_scopes("account:read stock:read uploads:write") ==
                identity::Scopes{account_read, stock_read, uploads_write}));
    // Those of a later release permit nothing here, and none is not all.
    BOOST_TEST((identity::parse_scopes("stock:read  webhooks:write ") == identity::Scopes{stock_read}));
    BOOST_TEST(identity::parse_scopes("").empty());
    BOOST_TEST(identity::scopes_named({}).fault.has_value());
    BOOST_TEST(identity::scopes_named({"stock:read", "Stock:read"}).fault.has_value());
    BOOST_TEST((identity::scopes_named({"stock:read", "stock:read"}).scopes == identity::Scopes{stock_read}));
}

BOOST_AUTO_TEST_SUITE_END()
