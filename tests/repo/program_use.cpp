// A worker adds up failures of programs within bounds, and writes them when it has nothing else to do.
#define BOOST_TEST_DYN_LINK
#include "resources/accounts/program_use.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "core/crypto.h"
#include "repo/application.h"
#include "support/case_match.h"

using namespace std::chrono_literals;
using namespace tradepost;

namespace {

struct Fixture : test::ApplicationFixture {
    core::ManualClock clock{*core::parse_rfc3339("2026-03-01T12:00:00Z")};
    db::Connection connection{config.database};
    const core::Uuid ashford = *core::Uuid::parse("0195f0a0-0000-7000-8000-00000000a001");

    // "parameter count", in order.
    std::string failures() {
        std::string all;
        for (const auto& row : connection.query("SELECT parameter, CAST(failures AS SIGNED) FROM program_failures WHERE "
                                                "organisation_id = ? AND parameter NOT LIKE 'x%' ORDER BY parameter",
                                                {ashford}))
            all += (all.empty() ? "" : ", ") + row.text(0) + " " + row.text(1);
        return all;
    }
    std::int64_t kinds() { return connection.query("SELECT COUNT(*) FROM program_failures").at(0).integer(0); }
    void count(accounts::ProgramUse& use, const std::string& parameter) {
        use.count_failure(std::span(&ashford, 1), {ashford, "POST", "/api/v1/stock", 400, "invalid_field", parameter}, "r",
                          clock.now());
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(program_use, Fixture)

BOOST_AUTO_TEST_CASE(what_is_owed_is_written_when_there_is_no_request) {
    App app(config, clock, limiter);
    const auto send = [&](const char* method, int status) {
        http::Request request;
        request.method = method;
        request.target = "/api/v1/stock";
        request.headers = {{"authorization", "Bearer " + test::fixture_token("ashford-admin")},
                           {"content-type", "application/json"}};
        request.body = R"({"reference":"owed","title":"Van","price":"12"})";
        auto response = app.handle(request);
        BOOST_TEST(response.status == status);
        if (response.after) response.after();
    };
    const auto requests = [&] { return connection.query("SELECT CAST(requests AS SIGNED) FROM token_days").at(0).integer(0); };
    for (int i = 0; i < 5; ++i) send("POST", 400);
    app.settle(false);
    BOOST_TEST(failures() == "price 1");
    clock.advance(1s);
    app.settle(false);
    BOOST_TEST(failures() == "price 5");
    BOOST_TEST(requests() == 5);
    // How much a token is used is written once a minute.
    for (const auto pause : {59s, 1s, 1s}) {
        clock.advance(pause);
        send("GET", 200);
    }
    BOOST_TEST(requests() == 7);
    app.settle(false);
    BOOST_TEST(requests() == 7);
    app.settle(true);
    BOOST_TEST(requests() == 8);
}

BOOST_AUTO_TEST_CASE(parameters_that_are_no_names_are_not_kept) {
    accounts::ProgramUse use;
    count(use, std::string(100, 'n'));
    count(use, std::string(101, 'n'));
    count(use, "\xff");
    count(use, "");
    use.write(connection, clock.now());
    BOOST_TEST(failures() == " 1, " + std::string(100, 'n') + " 1, … 2");
}

BOOST_AUTO_TEST_CASE(a_program_that_makes_up_parameters_fills_neither_memory_nor_the_table) {
    for (int round = 0; round < 3; ++round) {
        accounts::ProgramUse use;
        for (int i = 0; i < 600; ++i) count(use, "x" + std::to_string(round) + "-" + std::to_string(i));
        use.write(connection, clock.now());
        // Those that a worker adds up at a time, and then those of the table.
        BOOST_TEST(kinds() == 501);
        BOOST_TEST(failures() == "… " + std::to_string(round * 600 + 100));
    }
}

BOOST_AUTO_TEST_SUITE_END()
