// How often a whole application asks the database for one request, and that it need not ask for a list that the client has.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "repo/application.h"
#include "support/case_match.h"
#include "versions/collection_versions.h"

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

struct Fixture : test::ApplicationFixture {
    core::ManualClock clock{*core::parse_rfc3339("2026-03-01T12:00:00Z")};
    const std::string file = std::filesystem::temp_directory_path() / ("tradepost-round-trips-" + std::to_string(getpid()));
    versions::SharedVersions versions{file, versions::VersionsFile::WhenMissing::create};
    db::Connection watcher{database.config()};

    Fixture() {
        config.database.version_check = 1h;  // nobody else writes
    }
    ~Fixture() { std::filesystem::remove(file); }

    struct Worker : App {
        explicit Worker(Fixture& f) : App(f.config, f.clock, f.limiter, &f.versions) {
            for (const char* target :
                 {"/api/v1/jobs?city=None", "/api/v1/posts?tag=none", "/api/v1/events?city=None", "/api/v1/stock?reference=none"})
                f.get(*this, target);  // connected, with the versions and the key of the tags
        }
    };

    http::Response get(App& app, const std::string& target, const std::string& if_none_match = "",
                       const std::string& method = "GET") {
        http::Request request;
        request.method = method;
        request.target = target;
        request.headers.emplace_back("authorization", "Bearer " + test::fixture_token("ashford-admin"));
        if (!if_none_match.empty()) request.headers.emplace_back("if-none-match", if_none_match);
        return app.handle(request);
    }
    // The same without a token, as the public asks.
    http::Response read(App& app, const std::string& target, const std::string& if_none_match = "",
                        const std::string& method = "GET") {
        http::Request request;
        request.method = method;
        request.target = target;
        if (!if_none_match.empty()) request.headers.emplace_back("if-none-match", if_none_match);
        return app.handle(request);
    }
    std::int64_t statements() { return std::stoll(watcher.query("SHOW GLOBAL STATUS LIKE 'Questions'").at(0).text(1)); }
    template <class Work>
    std::int64_t round_trips(Work work) {
        const auto before = statements();
        work();
        return statements() - before - 1;
    }
    void change(const std::string& sql, std::string_view collection) {
        db::Connection writer(database.config(), {}, &versions);
        db::in_transaction(writer, [&] {
            writer.execute(sql);
            versions::touch(writer, collection);
        });
    }
};

std::string tag_of(const http::Response& response) {
    return std::string(response.header("ETag").value_or(""));
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(round_trips, Fixture)

BOOST_AUTO_TEST_CASE(who_the_caller_is_takes_one) {
    Worker app(*this);
    http::Response response;
    BOOST_TEST(round_trips([&] { response = get(app, "/api/v1/me"); }) == 1);
    BOOST_TEST(response.status == 200);
    BOOST_TEST(!nlohmann::json::parse(response.body)["data"]["organisations"].empty());
}

BOOST_AUTO_TEST_CASE(a_list_of_stock_takes_two_with_the_token) {
    Worker app(*this);
    for (const char* target :
         {"/api/v1/stock", "/api/v1/stock?limit=1", "/api/v1/stock?limit=1&page=2", "/api/v1/stock?limit=1&page=99",
          "/api/v1/stock?status=PUBLISHED", "/api/v1/stock?reference=x&availability=SOLD"}) {
        http::Response response;
        BOOST_TEST(round_trips([&] { response = get(app, target); }) <= 2, target);
        BOOST_TEST(response.status == 200);
        BOOST_TEST(round_trips([&] { get(app, target); }) == 1, target);
    }
}

BOOST_AUTO_TEST_CASE(a_detail_takes_one) {
    Worker app(*this);
    const auto job = nlohmann::json::parse(read(app, "/api/v1/jobs").body)["data"]["jobs"][0];
    for (const char* key : {"slug", "id"}) {
        const auto target = "/api/v1/jobs/" + job[key].get<std::string>();
        BOOST_TEST(round_trips([&] { BOOST_TEST(read(app, target).status == 200); }) == 1);
        BOOST_TEST(round_trips([&] { read(app, target); }) == 0);
    }
}

// By a worker that has nothing remembered of it.
BOOST_AUTO_TEST_CASE(a_list_that_the_client_has_takes_none) {
    Worker one(*this), other(*this);
    for (const char* target :
         {"/api/v1/jobs", "/api/v1/jobs?limit=1&page=2", "/api/v1/jobs?page=99", "/api/v1/posts", "/api/v1/events?limit=2"}) {
        const auto made = read(one, target);
        BOOST_REQUIRE(made.status == 200);
        const auto tag = tag_of(made);
        for (const auto& field : {tag, "W/" + tag, "\"x\", " + tag})
            for (const char* method : {"GET", "HEAD"}) {
                http::Response response;
                BOOST_TEST(round_trips([&] { response = read(other, target, field, method); }) == 0, target << " " << field);
                BOOST_TEST(response.status == 304);
                BOOST_TEST(response.body.empty());
                for (const char* name : {"ETag", "Cache-Control", "Vary", "Link", "X-Total-Count"})
                    BOOST_TEST(response.header(name).value_or("none") == made.header(name).value_or("none"), name);
            }
        BOOST_TEST(tag_of(read(other, target)) == tag);
        BOOST_TEST(read(other, target, "*").status == 304);
        BOOST_TEST(read(other, target, "\"0-0-0-0000000000000000\"").status == 200);
    }
    const auto stock = get(one, "/api/v1/stock");
    BOOST_TEST(round_trips([&] { BOOST_TEST(get(other, "/api/v1/stock", tag_of(stock)).status == 304); }) == 1);  // the token
}

BOOST_AUTO_TEST_CASE(a_write_ends_every_tag) {
    Worker one(*this), other(*this);
    const auto tag = tag_of(read(one, "/api/v1/posts"));
    change("UPDATE posts SET title = CONCAT(title, '!')", "posts");
    for (auto* app : {&one, &other}) {
        const auto now = read(*app, "/api/v1/posts", tag);
        BOOST_TEST(now.status == 200);
        BOOST_TEST(tag_of(now) != tag);
        BOOST_TEST(now.body.find("!\"") != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(time_ends_a_tag) {
    change("UPDATE posts SET published_at = '2026-03-01 12:00:00.500' WHERE listed = 1 ORDER BY id LIMIT 1", "posts");
    Worker one(*this), other(*this);
    const auto before = read(one, "/api/v1/posts");
    clock.advance(500ms - 1ms);
    BOOST_TEST(read(other, "/api/v1/posts", tag_of(before)).status == 304);
    clock.advance(1ms);
    for (auto* app : {&one, &other}) {
        const auto now = read(*app, "/api/v1/posts", tag_of(before));
        BOOST_TEST(now.status == 200);
        BOOST_TEST(now.body != before.body);
        BOOST_TEST(tag_of(now) != tag_of(before));
    }
}

BOOST_AUTO_TEST_CASE(a_tag_is_for_those_who_see_the_same) {
    Worker app(*this);
    const std::string target = "/api/v1/jobs?organisationId=0195f0a0-0000-7000-8000-00000000a001";
    const auto of_member = get(app, target), of_public = read(app, target);
    BOOST_TEST(of_member.body != of_public.body);
    BOOST_TEST(read(app, target, tag_of(of_member)).status == 200);
    BOOST_TEST(get(app, target, tag_of(of_public)).status == 200);
    BOOST_TEST(get(app, target, tag_of(of_member)).status == 304);
    BOOST_TEST(get(app, target, tag_of(of_member)).header("Cache-Control").value_or("") == "private, no-cache");
}

// Of these one is the change log's, one the history's, and one looks for webhooks. The limit of the organisation was read for the job before.
BOOST_AUTO_TEST_CASE(a_new_job_takes_twelve) {
    Worker app(*this);
    http::Request request;
    request.method = "POST";
    request.target = "/api/v1/jobs";
    request.headers.emplace_back("authorization", "Bearer " + test::fixture_token("ashford-admin"));
    request.headers.emplace_back("content-type", "application/json");
    request.body = R"({"title": "Painter"})";
    app.handle(request);
    request.body = R"({"title": "Welder"})";
    BOOST_TEST(round_trips([&] { BOOST_TEST(app.handle(request).status == 201); }) == 12);
}

BOOST_AUTO_TEST_SUITE_END()
