// What clients are told of an operation that will go, and that the description and the reference say it as well.
#include <unistd.h>
#include <yaml-cpp/yaml.h>

#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cctype>

#include "app.h"
#include "http/error.h"
#include "resources/routes.h"

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

http::Response list(api::Call&) {
    auto response = http::data("[]");
    response.set("Link", "</old?page=2>; rel=\"next\"");
    return response;
}

http::Response refuse(api::Call&) {
    throw http::not_found();
}

constexpr http::Deprecation deprecation{std::chrono::sys_days(2026y / 11 / 1), std::chrono::sys_days(2027y / 11 / 1)};

const api::Route table[] = {
    {"GET", "/old", list, {.access = api::Access::open, .pool = api::Pool::any, .deprecation = deprecation}},
    {"DELETE",
     "/old",
     refuse,
     {.access = api::Access::open, .limit = api::RateClass::none, .pool = api::Pool::any, .deprecation = deprecation}},
    {"GET", "/new", list, {.access = api::Access::open, .pool = api::Pool::any}},
};

struct Fixture {
    ~Fixture() { unlink(config.rate_limits.file.c_str()); }

    http::Response ask(const std::string& method, const std::string& target) {
        http::Request request;
        request.method = method;
        request.target = target;
        request.client_address = "192.0.2.1";
        return app.handle(request);
    }

    core::Config config = [] {
        core::Config made;
        made.rate_limits.file = "/tmp/tradepost-deprecation-" + std::to_string(getpid());
        return made;
    }();
    core::SystemClock clock;
    std::unique_ptr<limits::Limiter> limiter = limits::make_limiter(config, clock);
    App app{config, clock, *limiter, nullptr, nullptr, "default", nullptr, table};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(deprecation_of_operations, Fixture)

BOOST_AUTO_TEST_CASE(every_answer_of_a_deprecated_operation_tells_of_it) {
    for (const auto* method : {"GET", "HEAD", "DELETE"}) {
        const auto response = ask(method, "/old");
        BOOST_TEST(response.status == (method == std::string("DELETE") ? 404 : 200));
        BOOST_TEST(response.header("Deprecation").value_or("") == "@1793491200");
        BOOST_TEST(response.header("Sunset").value_or("") == "Mon, 01 Nov 2027 00:00:00 GMT");
    }
    BOOST_TEST(ask("GET", "/old").header("Link").value_or("") ==
               "</old?page=2>; rel=\"next\", </docs/changelog>; rel=\"deprecation\"; type=\"text/html\"");
    BOOST_TEST(ask("DELETE", "/old").header("Link").value_or("") == "</docs/changelog>; rel=\"deprecation\"; type=\"text/html\"");
}

BOOST_AUTO_TEST_CASE(others_do_not) {
    const auto response = ask("GET", "/new");
    BOOST_TEST(response.status == 200);
    BOOST_TEST(!response.header("Deprecation"));
    BOOST_TEST(!response.header("Sunset"));
    BOOST_TEST(response.header("Link").value_or("") == "</old?page=2>; rel=\"next\"");
}

BOOST_AUTO_TEST_CASE(the_description_marks_the_same_operations) {
    const auto paths = YAML::LoadFile("nginx/www/openapi.yaml")["paths"];
    for (const auto& route : routes()) {
        std::string method(route.method);
        std::transform(method.begin(), method.end(), method.begin(), [](unsigned char c) { return char(std::tolower(c)); });
        const auto path = paths[route.path];
        const auto operation = path ? path[method] : path;  // nginx alone asks for some
        BOOST_TEST_CONTEXT(method << " " << route.path) {
            const bool described = operation && operation["deprecated"] && operation["deprecated"].as<bool>();
            BOOST_TEST(described == route.rules.deprecation.has_value());
            if (route.rules.deprecation)
                BOOST_TEST((route.rules.deprecation->sunset >= route.rules.deprecation->since + std::chrono::days(365)));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
