// How many emails people get who did not ask for them.
#define BOOST_TEST_DYN_LINK
#include "identity/people/letter_limits.h"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "core/present.h"
#include "ctl/housekeeping.h"
#include "ctl/person.h"
#include "identity/people/users.h"
#include "repo/application.h"
#include "support/case_match.h"
#include "support/threads.h"

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

struct Fixture : test::ApplicationFixture {
    core::ManualClock clock{core::parse_rfc3339("2026-03-01T12:00:00Z").value()};
    db::Connection connection{config.database};

    Fixture() { config.mail.smtp = "smtp://mail.example:25"; }

    http::Response send(App& app, const char* token, const std::string& method, const std::string& path,
                        const std::string& body) {
        http::Request request;
        request.method = method;
        request.target = path;
        request.headers = {{"authorization", "Bearer " + test::fixture_token(token)}, {"content-type", "application/json"}};
        request.body = body;
        return app.handle(request);
    }
    http::Response invite(App& app, const std::string& email, const char* token = "ashford-admin") {
        return send(app, token, "POST", "/api/v1/accounts/invitations", R"({"email":")" + email + R"(","role":"MEMBER"})");
    }
    // The status, and how long it is to wait.
    std::string told(const http::Response& response) {
        const auto after = response.header("Retry-After");
        return std::to_string(response.status) + (after ? " " + std::string(*after) : "");
    }
    std::int64_t letters() {
        return connection.query("SELECT COUNT(*) FROM outbox_messages WHERE kind = 'mail invitation'").at(0).integer(0);
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(letter_limits, Fixture)

BOOST_AUTO_TEST_CASE(three_a_day_to_one_recipient_whoever_invites) {
    App app(config, clock, limiter);
    BOOST_TEST(told(invite(app, "stranger@example.org")) == "201");
    // Repeated ones wait, also for another organisation, and after the invitation was withdrawn.
    BOOST_TEST(told(invite(app, "Stranger@Example.ORG")) == "429 600");
    BOOST_TEST(told(invite(app, "stranger@example.org", "birch-admin")) == "429 600");
    const auto id = core::present(connection.query("SELECT id FROM invitations").at(0).opt_uuid(0));
    BOOST_TEST(send(app, "ashford-admin", "DELETE", "/api/v1/accounts/invitations/" + id.to_string(), "").status == 200);
    clock.advance(10min - 1ms);
    BOOST_TEST(told(invite(app, "stranger@example.org")) == "429 1");
    clock.advance(1s);
    BOOST_TEST(told(invite(app, "stranger@example.org", "birch-admin")) == "201");
    BOOST_TEST(told(invite(app, "stranger@example.org")) == "429 3600");
    clock.advance(1h);
    BOOST_TEST(told(invite(app, "stranger@example.org")) == "201");
    // Until a day after the first.
    const auto refused = invite(app, "stranger@example.org");
    BOOST_TEST(refused.body == R"({"error":"Too many requests. Please try again later."})");
    BOOST_TEST(told(refused) == "429 " + std::to_string(24 * 3600 - 4200));
    BOOST_TEST(letters() == 3);
    BOOST_TEST(told(invite(app, "another@example.org")) == "201");
    clock.advance(std::chrono::seconds(24 * 3600 - 4200) - 1s);
    BOOST_TEST(told(invite(app, "stranger@example.org")) == "429 1");
    clock.advance(1s);
    BOOST_TEST(told(invite(app, "stranger@example.org")) == "201");
}

BOOST_AUTO_TEST_CASE(fifty_a_day_of_one_organisation) {
    App app(config, clock, limiter);
    for (int i = 0; i < identity::most_letters_of_organisation; ++i) {
        BOOST_TEST(told(invite(app, "a" + std::to_string(i) + "@example.org")) == "201");
        clock.advance(1min);
    }
    BOOST_TEST(told(invite(app, "one.more@example.org")) == "429 " + std::to_string((24 * 60 - 50) * 60));
    // What is refused counts nowhere: the recipient has three left.
    BOOST_TEST(told(invite(app, "one.more@example.org", "birch-admin")) == "201");
    BOOST_TEST(letters() == 51);
    clock.advance(std::chrono::minutes(24 * 60 - 50));
    BOOST_TEST(told(invite(app, "one.more@example.org")) == "201");
}

BOOST_AUTO_TEST_CASE(many_at_once_are_counted_exactly) {
    std::atomic<int> sent = 0, refused = 0;
    std::vector<test::Thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
            db::Connection own(config.database);
            for (int k = 0; k < 8; ++k)
                db::in_transaction(own, [&] {
                    ++(identity::LetterLimits(own).count("stranger@example.org", {}, clock.now()) ? refused : sent);
                });
        });
    threads.clear();
    BOOST_TEST(sent == identity::most_letters_of_recipient);
    BOOST_TEST(refused == 64 - identity::most_letters_of_recipient);
}

BOOST_AUTO_TEST_CASE(counters_end_after_a_day_and_with_the_person) {
    const auto rows = [&] { return connection.query("SELECT COUNT(*) FROM letter_limits").at(0).integer(0); };
    App app(config, clock, limiter);
    BOOST_TEST(told(invite(app, "stranger@example.org")) == "201");
    BOOST_TEST(rows() == 2);
    ctl::erase(connection, clock, "Stranger@example.org");
    BOOST_TEST(rows() == 1);
    ctl::prune(connection, clock.now() + 24h, {});
    BOOST_TEST(rows() == 1);
    ctl::prune(connection, clock.now() + 24h + 1ms, {});
    BOOST_TEST(rows() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
