// POST /uploads with `data`: decoding takes seconds, so no transaction is open meanwhile.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "repo/application.h"
#include "support/case_match.h"
#include "support/pictures.h"

using namespace tradepost;

namespace {

struct Fixture : test::ApplicationFixture {
    core::ManualClock clock{*core::parse_rfc3339("2026-03-01T12:00:00Z")};
    const std::string directory =
        std::filesystem::temp_directory_path() / ("tradepost-upload-requests-" + std::to_string(getpid()));
    db::Connection watcher{database.config()};

    Fixture() {
        std::filesystem::create_directory(directory);
        config.uploads.directory = directory;
    }
    ~Fixture() { std::filesystem::remove_all(directory); }

    http::Response post(App& app, const std::string& bytes, const std::string& key) {
        http::Request request;
        request.method = "POST";
        request.target = "/api/v1/uploads";
        request.headers = {{"authorization", "Bearer " + test::fixture_token("ashford-admin")},
                           {"content-type", "application/json"}};
        if (!key.empty()) request.headers.emplace_back("idempotency-key", key);
        request.body = nlohmann::json{{"filename", "x.png"}, {"contentType", "image/png"}, {"data", test::base64(bytes)}}.dump();
        return app.handle(request);
    }
    std::int64_t begun_transactions() { return std::stoll(watcher.query("SHOW GLOBAL STATUS LIKE 'Com_begin'").at(0).text(1)); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(upload_requests, Fixture)

BOOST_AUTO_TEST_CASE(a_picture_is_decoded_before_the_transaction) {
    App app(config, clock, limiter);
    const auto picture = test::picture(80, 60, "x.png");
    for (const std::string key : {"", "refused"}) {
        post(app, picture, "");  // connected
        const auto before = begun_transactions();
        BOOST_TEST(post(app, picture.substr(0, picture.size() / 2), key).status == 400);
        BOOST_TEST(begun_transactions() == before, key);
    }
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_kept_takes_no_decoding) {
    App app(config, clock, limiter);
    const auto picture = test::picture(80, 60, "x.png");
    const auto first = post(app, picture, "kept");
    BOOST_TEST(first.status == 201);
    // Nothing can be decoded any more.
    std::filesystem::remove_all(directory);
    std::ofstream{directory};
    BOOST_TEST(post(app, picture, "").status == 500);
    const auto second = post(app, picture, "kept");
    BOOST_TEST(second.status == 201);
    BOOST_TEST(second.body == first.body);
    BOOST_TEST(post(app, picture + "x", "kept").status == 422);
}

BOOST_AUTO_TEST_SUITE_END()
