// Which routes want a password that was typed of late.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <set>

#include "api/call.h"
#include "core/crypto.h"
#include "core/hex.h"
#include "identity/people/users.h"
#include "identity/sessions/sessions.h"
#include "repo/application.h"
#include "resources/routes.h"

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

constexpr const char* organisation = "0195f0a0-0000-7000-8000-00000000a001";

struct Fixture : test::ApplicationFixture {
    core::ManualClock clock{core::parse_rfc3339("2026-03-01T12:00:00Z").value()};
    db::Connection connection{config.database};
    identity::User admin = identity::Users(connection).find_by_email("demo@example.com").value();
    identity::MintedSession session =
        identity::Sessions(connection).begin(admin.id, admin.password_hash.value(), {"192.0.2.1", ""}, clock.now()).value();

    // The answer to a request without a body.
    http::Response call(App& app, const api::Route& route) {
        http::Request request;
        request.method = route.method;
        std::string path = route.path;
        for (auto at = path.find('{'); at != std::string::npos; at = path.find('{'))
            path.replace(at, path.find('}') - at + 1, organisation);
        // A write refuses parameters that it does not read.
        request.target = route.rules.parameters.empty() ? path : path + "?organisationId=" + organisation;
        request.headers = {{"cookie", "__Host-session=" + session.plain},
                           {"x-csrf-token", core::to_hex(session.session.csrf_token)},
                           {"content-type", "application/json"}};
        return app.handle(request);
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(confirmation, Fixture)

// Each route that takes a session and changes something is in the list, or gives nothing that outlasts the session.
BOOST_AUTO_TEST_CASE(lasting_rights_take_a_password_of_late) {
    const std::set<std::string> expected{
        "PATCH /api/v1/accounts/members/{userId}",           // roles
        "POST /api/v1/accounts/invitations",                 //
        "POST /api/v1/accounts/integrations",                // programs
        "POST /api/v1/accounts/integrations/{id}/tokens",    //
        "POST /dashboard/api/tokens",                        //
        "POST /api/v1/webhooks",                             // what is sent elsewhere
        "PATCH /api/v1/webhooks/{id}",                       //
        "POST /api/v1/webhooks/{id}/secret",                 //
        "POST /dashboard/api/email",                         // how to sign in
        "POST /dashboard/api/second-factor",                 //
        "PUT /dashboard/api/second-factor",                  //
        "DELETE /dashboard/api/second-factor",               //
        "POST /dashboard/api/second-factor/recovery-codes",  //
        "PUT /dashboard/api/organisations/{id}/second-factor",
    };
    clock.advance(16min);
    App app(config, clock, limiter);
    std::set<std::string> found;
    for (const auto& route : routes()) {
        const std::string_view method = route.method;
        // The last one would end the session that the others need.
        if (!api::takes_session(route.rules.access) || method == "GET" || method == "HEAD" ||
            route.path == std::string_view("/dashboard/api/session"))
            continue;
        if (call(app, route).body.find("Password confirmation required") != std::string::npos)
            found.insert(std::string(method) + " " + route.path);
    }
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
