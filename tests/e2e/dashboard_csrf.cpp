// X-CSRF-Token on every route that writes, as openapi.yaml has them.
#include <yaml-cpp/yaml.h>

#include "e2e/session.h"

using namespace tradepost::test;

namespace {

struct Operation {
    std::string method, path;
    bool takes_session, wants_csrf;
};

std::vector<Operation> unsafe_operations() {
    std::vector<Operation> all;
    for (const auto& path : YAML::LoadFile("nginx/www/openapi.yaml")["paths"])
        for (const std::string method : {"post", "put", "patch", "delete"}) {
            const auto operation = path.second[method];
            if (!operation) continue;
            bool takes_session = false, wants_csrf = false;
            for (const auto& way : operation["security"])
                if (way["session"]) takes_session = true, wants_csrf = bool(way["csrf"]);
            std::string upper = method, target = path.first.as<std::string>();
            for (char& c : upper) c = char(std::toupper(c));
            // Nothing has this id, so that the request is harmless.
            while (target.find('{') != std::string::npos)
                target.replace(target.find('{'), target.find('}') + 1 - target.find('{'), "0195f0a0-7c00-7000-8000-0000000fffff");
            all.push_back({upper, target, takes_session, wants_csrf});
        }
    return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dashboard_csrf)

BOOST_AUTO_TEST_CASE(no_route_writes_without_it) {
    const auto user = stack().add_user();
    const auto session = begin_session(user), other = begin_session(user);
    Client client(stack().site());
    const auto send = [&](const Operation& operation, Headers headers) {
        headers.emplace_back("Content-Type", "text/plain");  // wrong, which is looked at later
        return client.send({.method = operation.method, .target = operation.path, .headers = headers, .body = "{"});
    };
    std::size_t checked = 0;
    for (const auto& operation : unsafe_operations()) {
        BOOST_TEST_CONTEXT(operation.method << " " << operation.path) {
            if (!operation.takes_session) {
                // Those that the cookie gives nothing.
                const bool named = operation.path == "/api/v1/auth" || operation.path == "/dashboard/api/session" ||
                                   operation.path.starts_with("/dashboard/api/reset") || operation.path.starts_with("/upload/") ||
                                   operation.path.starts_with("/unsubscribe/") || operation.path == "/api/v1/me/tokens/rotate";
                BOOST_TEST(named);
                BOOST_TEST(send(operation, session.reading()).status != 403);
                continue;
            }
            ++checked;
            BOOST_TEST(operation.wants_csrf);
            check_refused(send(operation, session.reading()), 403, "Forbidden");
            check_refused(send(operation, {session.reading()[0], {"X-CSRF-Token", other.csrf}}), 403, "Forbidden");
            if (operation.path != "/dashboard/api/session") {
                const int status = send(operation, session.writing()).status;
                BOOST_TEST((status != 401 && status != 403), status);
            }
        }
    }
    BOOST_TEST(checked >= 18u);
    BOOST_TEST(client.get("/api/v1/me", session.reading()).status == 200);
}

BOOST_AUTO_TEST_SUITE_END()
