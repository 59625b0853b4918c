// Two API hosts, of which one's clock is 5 s ahead of the other's: what one began goes on at the other. For polls see polling_clocks.cpp.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "identity/sessions/sessions.h"
#include "identity/tokens/tokens.h"
#include "repo/application.h"
#include "repo/enquiry_support.h"

using namespace tradepost;
using namespace std::chrono_literals;
using Json = nlohmann::json;

namespace {

struct Fixture : test::Enquirers {
    test::Quiet quiet;
    core::Config config;
    test::Unlimited limiter;
    core::ManualClock ahead{start + 5s}, behind{start};

    Fixture() { config.database = database.config(); }

    http::Response call(const core::Clock& clock, const std::string& token, const std::string& method, const std::string& target,
                        const Json& body = {}, const std::string& key = {}) {
        App app(config, clock, limiter);
        http::Request request;
        request.method = method;
        request.target = "/api/v1/" + target;
        request.headers = {{"authorization", "Bearer " + token}, {"content-type", "application/json"}};
        if (!key.empty()) request.headers.emplace_back("idempotency-key", key);
        if (!body.is_null()) request.body = body.dump();
        return app.handle(request);
    }
    std::string token(const core::Clock& clock) { return identity::Tokens(connection).mint(member, {}, clock).value().plain; }
    Json item(const std::string& reference) const {
        return {{"organisationId", organisations[0].to_string()}, {"reference", reference}, {"title", "Van"}};
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(clocks_of_hosts, Fixture)

BOOST_AUTO_TEST_CASE(tokens_and_sessions_serve_at_both) {
    BOOST_TEST(call(behind, token(ahead), "GET", "me").status == 200);
    BOOST_TEST(call(ahead, token(behind), "GET", "me").status == 200);
    const std::string hash(64, 'h');
    connection.execute("UPDATE users SET password_hash = ? WHERE id = ?", {hash, member});
    identity::Sessions sessions(connection);
    const auto begun = sessions.begin(member, hash, {}, ahead.now());
    BOOST_REQUIRE(begun);
    BOOST_TEST(sessions.find_active(begun->session.hash, behind.now()).has_value());
}

BOOST_AUTO_TEST_CASE(a_key_stands_for_one_request_at_both) {
    const auto bearer = token(behind);
    const auto check = [&](const core::Clock& first, const core::Clock& second, const std::string& key) {
        const auto made = call(first, bearer, "POST", "stock", item(key), key);
        BOOST_REQUIRE_EQUAL(made.status, 201);
        const auto again = call(second, bearer, "POST", "stock", item(key), key);
        BOOST_TEST(again.status == 201);
        BOOST_TEST(again.body == made.body);
    };
    check(ahead, behind, "first-ahead-0000000000");
    check(behind, ahead, "first-behind-000000000");
    BOOST_TEST(connection.query("SELECT COUNT(*) FROM stock_items").at(0).integer(0) == 2);
}

// The one ahead takes it out of the lists, and neither shows a total that its rows do not add up to.
BOOST_AUTO_TEST_CASE(lists_of_both_add_up_while_a_row_expires) {
    const auto bearer = token(behind);
    for (const auto* title : {"Stays", "Goes"}) {
        Json job{{"organisationId", organisations[0].to_string()},
                 {"title", title},
                 {"description", "Work"},
                 {"category", "Parts"},
                 {"contractType", "PERMANENT"},
                 {"city", "York"},
                 {"status", "PUBLISHED"}};
        if (title == std::string("Goes")) job["expiresAt"] = core::to_rfc3339(behind.now() + 3s);
        const auto made = call(behind, bearer, "POST", "jobs", job);
        BOOST_REQUIRE_MESSAGE(made.status == 201, made.body);
    }
    const auto shown = [&](const core::Clock& clock) {
        const auto data = Json::parse(call(clock, bearer, "GET", "jobs").body).at("data");
        BOOST_TEST(data.at("total") == data.at("jobs").size());
        return data.at("jobs").size();
    };
    BOOST_TEST(shown(behind) == 2u);
    BOOST_TEST(shown(ahead) == 1u);
    BOOST_TEST(shown(behind) >= 1u);
    behind.advance(5s);
    ahead.advance(5s);
    BOOST_TEST(shown(behind) == 1u);
    BOOST_TEST(shown(ahead) == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
