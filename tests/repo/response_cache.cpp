// http.remembered_bytes: which answers a worker caches, and that it caches none when told so.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "app.h"
#include "repo/enquiry_support.h"
#include "resources/jobs/job.h"
#include "support/put.h"

using namespace tradepost;

namespace {

struct Fixture : test::Enquirers {
    jobs::Job job;
    core::Config config;
    core::SystemClock clock;

    Fixture() {
        job.id = core::Uuid::v7(start);
        job.organisation.id = organisations[0];
        job.slug = "driver";
        job.title = "Before";
        job.status = "PUBLISHED";
        job.published_at = job.created_at = job.updated_at = start;
        writes::write(connection,
                      [&](writes::WriteTransaction& transaction) { test::put<jobs::Job>(transaction, std::span(&job, 1)); });
        config.database = database.config();
        config.rate_limits.file = "/tmp/tradepost-cache-" + std::to_string(getpid());
    }
    ~Fixture() { unlink(config.rate_limits.file.c_str()); }

    // Whether a title that was changed behind the workers' backs, without a new version, is in the next list and detail.
    std::array<bool, 2> sees_a_silent_change() {
        const auto limiter = limits::make_limiter(config, clock);
        App app(config, clock, *limiter);
        const auto get = [&](const std::string& target) {
            http::Request request;
            request.method = "GET";
            request.target = target;
            request.client_address = "198.51.100.1";
            const auto response = app.handle(request);
            BOOST_TEST(response.status == 200);
            return response.body;
        };
        const std::string list = "/api/v1/jobs", detail = list + "/driver";
        get(list), get(detail);
        connection.execute("UPDATE jobs SET title = 'After'");
        const auto is_new = [&](const std::string& target) { return get(target).find("After") != std::string::npos; };
        return {is_new(list), is_new(detail)};
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(response_cache, Fixture)

BOOST_AUTO_TEST_CASE(an_answer_is_cached_until_the_version_changes) {
    BOOST_CHECK((sees_a_silent_change() == std::array{false, false}));
}

BOOST_AUTO_TEST_CASE(without_room_every_answer_is_made_anew) {
    config.http.remembered_bytes = 0;
    BOOST_CHECK((sees_a_silent_change() == std::array{true, true}));
}

// What an operator may allow caches in front of the service, and a client that has what there is.
BOOST_AUTO_TEST_CASE(shared_caches_and_what_was_not_modified) {
    const auto limiter = limits::make_limiter(config, clock);
    http::Request request;
    request.method = "GET";
    request.target = "/api/v1/jobs";
    request.client_address = "198.51.100.1";
    std::string left;
    const auto ask = [&](const core::Config& with) {
        App app(with, clock, *limiter);
        const auto response = app.handle(request);
        left = response.header("RateLimit-Remaining").value_or("none");
        BOOST_TEST(response.status == (request.headers.empty() ? 200 : 304));
        request.headers = {{"if-none-match", std::string(response.header("ETag").value_or(""))}};
        return std::string(response.header("Cache-Control").value_or(""));
    };
    BOOST_TEST(ask(config) == "public, max-age=0, must-revalidate");
    BOOST_TEST(left == "59");
    ask(config);
    BOOST_TEST(left == "58");
    auto chosen = config;
    chosen.http.shared_cache = std::chrono::seconds(30);
    chosen.rate_limits.count_not_modified = false;
    ask(chosen);
    BOOST_TEST(left == "58");
    request.headers.clear();
    BOOST_TEST(ask(chosen) == "public, max-age=0, s-maxage=30, stale-while-revalidate=30");
    BOOST_TEST(left == "57");
}

BOOST_AUTO_TEST_SUITE_END()
