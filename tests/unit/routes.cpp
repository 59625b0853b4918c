#include "routes.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using namespace tradepost;
using api::Access;
using Kind = api::Needs::Kind;

namespace {

std::string name(const api::Route& route) {
    return std::string(route.method) + " " + route.path;
}

identity::Token token_with(identity::Scopes scopes) {
    identity::Token token{};
    token.scopes = std::move(scopes);
    return token;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(routes_and_scopes)

// What any token may do, whatever its scopes, is listed here once more, so that a new row cannot become part of it unnoticed.
BOOST_AUTO_TEST_CASE(only_these_routes_need_no_scope) {
    std::set<std::string> found;
    for (const auto& route : routes())
        if (api::takes_token(route.access) && route.needs.kind == Kind::nothing) found.insert(name(route));
    // A feed names its scope itself, after /check/feed. An invitation is accepted with a session; a token counts as none.
    const std::set<std::string> expected{"DELETE /api/v1/auth", "GET /api/v1/me", "PUT /check/feed",
                                         "POST /dashboard/api/invitation/{token}"};
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_scope_fits_its_route) {
    const std::map<std::string, std::string> resources{
        {"/api/v1/jobs", "jobs"}, {"/api/v1/stock", "stock"}, {"/api/v1/enquiries", "enquiries"}};
    for (const auto& route : routes()) {
        BOOST_TEST_CONTEXT(name(route)) {
            if (!api::takes_token(route.access)) {
                BOOST_TEST((route.needs.kind == Kind::nothing));
                continue;
            }
            if (route.needs.kind != Kind::scope) continue;
            const std::string scope(route.needs.text()), method = route.method, path = route.path;
            // There is no uploads:read.
            const bool reads = method == "GET" && scope != "uploads:write";
            BOOST_TEST(scope.ends_with(reads ? ":read" : ":write"));
            for (const auto& [prefix, resource] : resources)
                if (path == prefix || path.starts_with(prefix + "/")) BOOST_TEST(scope.starts_with(resource + ":"));
        }
    }
}

// `security` of an operation names the scope, `all` when no scope is enough, or nothing.
BOOST_AUTO_TEST_CASE(the_description_names_the_same_scopes) {
    const auto paths = YAML::LoadFile("nginx/www/openapi.yaml")["paths"];
    for (const auto& route : routes()) {
        // nginx alone asks for what begins with /check/, and no description of the dashboard's routes offers a token.
        const std::string_view path = route.path;
        if (!api::takes_token(route.access) || path.starts_with("/check/") || path.starts_with("/dashboard/")) continue;
        BOOST_TEST_CONTEXT(name(route)) {
            std::string method = route.method;
            std::transform(method.begin(), method.end(), method.begin(), [](unsigned char c) { return char(std::tolower(c)); });
            std::string described = "no token";
            for (const auto& choice : paths[route.path][method]["security"])
                if (const auto scopes = choice["token"]) described = scopes.size() == 1 ? scopes[0].as<std::string>() : "";
            BOOST_TEST(described == (route.needs.kind == Kind::all ? "all" : std::string(route.needs.text())));
        }
    }
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
