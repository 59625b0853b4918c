// Digests of lists against those that a client makes from what the lists show.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "core/crypto.h"
#include "lists/digest.h"
#include "repo/application.h"
#include "resources/events/lists.h"
#include "resources/jobs/lists.h"
#include "resources/posts/lists.h"
#include "resources/stock/lists.h"
#include "support/case_match.h"
#include "support/list_reader.h"

using namespace tradepost;
using namespace std::chrono_literals;
using nlohmann::json;
using Lines = std::map<std::string, std::string>;

namespace {

const std::string ashford = "0195f0a0-0000-7000-8000-00000000a001";

std::string digest(const Lines& lines) {
    std::string text;
    for (const auto& [name, value] : lines) text.append(name).append(" ").append(value).append("\n");
    return core::to_hex(core::sha256(text));
}

// What a client expects that has these times by ids.
json expected(const Lines& copy) {
    std::map<std::string, Lines> parts;
    for (const auto& [id, updated_at] : copy) parts[id.substr(34)][id] = updated_at;
    Lines of_parts;
    json list = json::array();
    for (const auto& [part, lines] : parts) {
        of_parts[part] = digest(lines);
        list.push_back({{"part", part}, {"count", lines.size()}, {"digest", digest(lines)}});
    }
    return {{"data", {{"count", copy.size()}, {"digest", digest(of_parts)}, {"parts", list}}}};
}

struct Fixture : test::ApplicationFixture {
    core::ManualClock clock{*core::parse_rfc3339("2026-03-01T12:00:00Z")};
    App app{config, clock, limiter};

    http::Response get(const std::string& target, const std::string& token) {
        http::Request request;
        request.method = "GET";
        request.target = target;
        if (!token.empty()) request.headers.emplace_back("authorization", "Bearer " + test::fixture_token(token));
        return app.handle(request);
    }
    json read(const std::string& target, const std::string& token) {
        const auto response = get(target, token);
        BOOST_TEST_REQUIRE(response.status == 200, target << ": " << response.body);
        return json::parse(response.body);
    }
    Lines copy(const std::string& kind, const std::string& query, const std::string& token) {
        Lines lines;
        for (int page = 1, pages = 1; page <= pages; ++page) {
            const auto data = read("/api/v1/" + kind + "?limit=3&page=" + std::to_string(page) + "&" + query, token).at("data");
            pages = data.at("pages");
            for (const auto& item : data.at(kind)) lines[item.at("id")] = item.at("updatedAt");
        }
        return lines;
    }
    void check(const std::string& kind, const std::string& query, const std::string& token) {
        BOOST_TEST_CONTEXT(kind << "?" << query << " of " << token) {
            const auto lines = copy(kind, query, token);
            const auto answer = read("/api/v1/" + kind + "/digest?" + query, token);
            BOOST_TEST(answer == expected(lines));
            Lines seen;
            for (const auto& part : answer.at("data").at("parts")) {
                const auto one =
                    read("/api/v1/" + kind + "/digest?part=" + part.at("part").get<std::string>() + "&" + query, token)
                        .at("data");
                BOOST_TEST(one.at("digest") == part.at("digest"));
                BOOST_TEST(one.at("count") == part.at("count"));
                for (const auto& entry : one.at("entries")) seen[entry.at("id")] = entry.at("updatedAt");
            }
            BOOST_TEST((seen == lines));
        }
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(digests, Fixture)

BOOST_AUTO_TEST_CASE(equal_those_of_a_copy_of_the_list) {
    for (const std::string kind : {"jobs", "events", "posts"}) {
        check(kind, "", "");
        check(kind, "organisationId=" + ashford, "");
        check(kind, "organisationId=" + ashford, "ashford-member");
    }
    check("stock", "", "demo");
    check("stock", "organisationId=" + ashford, "ashford-member");
    check("stock", "status=PUBLISHED", "ashford-member");
    check("jobs", "city=leeds&city=york", "");
    check("posts", "tag=news", "");
    BOOST_TEST(copy("jobs", "organisationId=" + ashford, "").size() < copy("jobs", "organisationId=" + ashford, "demo").size());
}

BOOST_AUTO_TEST_CASE(follow_the_time) {
    const auto before = read("/api/v1/jobs/digest", "").at("data").at("count").get<int>();
    const auto next = db::Connection(config.database)
                          .query("SELECT MIN(expires_at) FROM jobs WHERE listed = 1 AND expires_at > ?", {clock.now()})
                          .at(0)
                          .time(0);
    clock.set(next - 1ms);
    BOOST_TEST(read("/api/v1/jobs/digest", "").at("data").at("count") == before);
    clock.set(next);
    BOOST_TEST(read("/api/v1/jobs/digest", "").at("data").at("count") < before);
    check("jobs", "", "");
}

// The server cuts a text off at a limit. Nothing is ever missing silently.
BOOST_AUTO_TEST_CASE(are_read_in_slices_where_one_text_is_too_long) {
    db::Connection connection(config.database);
    const db::Held held(connection);
    const auto all = [&] {
        return lists::digest_of(connection, test::selected(stock::member_list(), "", {*core::Uuid::parse(ashford)}),
                                "stock_items_poll", {}, clock.now(), 5s);
    };
    const auto whole = all();
    BOOST_TEST(whole.total.rows > 2);
    connection.execute("SET SESSION group_concat_max_len = " + std::to_string(39 * (whole.total.rows - 1)));
    BOOST_TEST(all().json == whole.json);
    connection.execute("SET SESSION group_concat_max_len = 38");
    BOOST_CHECK_THROW(all(), std::runtime_error);
}

// Else a digest of 100,000 items would read as many rows, which takes ten times as long.
BOOST_AUTO_TEST_CASE(have_an_index_with_all_they_need) {
    db::Connection connection(config.database);
    for (const auto& [table, rest] : std::vector<std::pair<std::string, std::string>>{
             {"stock_items", ""},
             {"jobs", " AND listed = 1 AND (expires_at IS NULL OR expires_at > NOW())"},
             {"events", " AND listed = 1 AND published_at <= NOW()"},
             {"posts", " AND listed = 1 AND published_at <= NOW()"}}) {
        const auto plan = connection.query("EXPLAIN /*!80016 FORMAT=TRADITIONAL */ SELECT GROUP_CONCAT(id, updated_at) FROM " +
                                           table + " FORCE INDEX (" + table + "_poll) WHERE organisation_id > ''" + rest);
        std::string text;
        for (std::size_t i = 0; i < plan.at(0).columns(); ++i) text += plan[0].opt_text(i).value_or("") + " ";
        BOOST_TEST(text.find("Using index") != std::string::npos, table << ": " << text);
        BOOST_TEST(text.find("Using index condition") == std::string::npos, table << ": " << text);
    }
}

BOOST_AUTO_TEST_SUITE_END()
