// Test organisations: what their programs may ask for, and that the public never sees them.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "repo/application.h"
#include "repo/ctl_support.h"
#include "support/case_match.h"

using namespace tradepost;

namespace {

struct Fixture : test::ApplicationFixture {
    core::ManualClock clock{*core::parse_rfc3339("2026-03-01T12:00:00Z")};
    App app{config, clock, limiter};
    db::Connection connection{config.database};

    Fixture() { connection.execute("UPDATE organisations SET test = 1 WHERE slug = 'closed-yard'"); }

    http::Request request(const std::string& fault) {
        http::Request made;
        made.method = "GET";
        made.target = "/api/v1/stock";
        made.headers = {{"authorization", "Bearer " + test::fixture_token("closed-yard")}};
        if (!fault.empty()) made.headers.emplace_back("x-test-fault", fault);
        return made;
    }
    // As a worker does, once or until there is an answer.
    static void ask_again(http::Response& response) {
        const auto resume = std::move(response.resume);
        response = resume();
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(test_faults, Fixture)

BOOST_AUTO_TEST_CASE(a_slow_answer_holds_no_worker) {
    const auto slow = request("slow=20000"), quick = request("slow=1"), usual = request("");
    auto waits = app.handle(slow), ends = app.handle(quick);
    BOOST_TEST_REQUIRE(bool(waits.resume));
    BOOST_TEST_REQUIRE(bool(ends.resume));
    // The worker serves others meanwhile.
    BOOST_TEST(app.handle(usual).status == 200);
    while (ends.resume) ask_again(ends);
    BOOST_TEST(ends.status == 200);
    BOOST_TEST(ends.body == app.handle(usual).body);
    ask_again(waits);
    BOOST_TEST(bool(waits.resume));
}

// What holds when it ends counts.
BOOST_AUTO_TEST_CASE(a_slow_request_is_nobodys_when_its_token_was_revoked) {
    const auto quick = request("slow=1");
    auto response = app.handle(quick);
    BOOST_TEST_REQUIRE(bool(response.resume));
    connection.execute("UPDATE api_tokens SET revoked_at = ?", {clock.now()});
    while (response.resume) ask_again(response);
    BOOST_TEST(response.status == 401);
}

BOOST_AUTO_TEST_CASE(few_slow_answers_wait_at_once) {
    const auto slow = request("slow=20000");
    std::vector<http::Response> waiting;
    for (int i = 0; i < 16; ++i) {
        waiting.push_back(app.handle(slow));
        BOOST_TEST(bool(waiting.back().resume));
    }
    const auto refused = app.handle(slow);
    BOOST_TEST(!refused.resume);
    BOOST_TEST(refused.status == 429);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(test_organisations, test::CtlFixture)

BOOST_AUTO_TEST_CASE(are_never_published) {
    const auto import = [&](const char* kind, const std::string& line) {
        std::ofstream(path) << line;
        return ctl({"import", kind, path});
    };
    const auto state = [&] { return value("CONCAT(published, test) FROM organisations WHERE slug = 'sand'"); };
    fails(ctl({"org", "add", "--name", "Sand", "--test", "--published"}), 2, "cannot be published");
    BOOST_TEST(ctl({"org", "add", "--name", "Sand", "--test"}).out.starts_with("added sand "));
    BOOST_TEST(state() == "01");
    fails(ctl({"org", "publish", "--org", "sand"}), 1,
          "sand is a test organisation, which cannot be published: run org live first");
    BOOST_TEST(state() == "01");
    BOOST_TEST(ctl({"org", "live", "--org", "sand"}).out == "sand is no test organisation\n");
    BOOST_TEST(ctl({"org", "publish", "--org", "sand"}).code == 0);
    BOOST_TEST(state() == "10");
    BOOST_TEST(
        import(
            "jobs",
            R"({"title":"Fitter","organisation":"sand","status":"PUBLISHED","description":"D","category":"C","contractType":"PERMANENT","workplace":"REMOTE"})")
            .code == 0);
    BOOST_TEST(value("SUM(listed) FROM jobs") == "1");
    BOOST_TEST(nlohmann::json::parse(ctl({"org", "test", "--org", "sand", "--json"}).out)["test"] == true);
    BOOST_TEST(state() == "01");
    BOOST_TEST(value("SUM(listed) FROM jobs") == "0");
    // An import keeps what a line does not name, and publishes none either.
    BOOST_TEST(import("organisations", R"({"slug":"sand","name":"Sand pit"})").code == 0);
    BOOST_TEST(state() == "01");
    fails(import("organisations", R"({"slug":"sand","name":"Sand","published":true})"), 1, "cannot be published");
    BOOST_TEST(state() == "01");
}

BOOST_AUTO_TEST_SUITE_END()
