// Every effect of a write, for every described resource.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "core/crypto.h"
#include "repo/application.h"
#include "support/case_match.h"
#include "support/recount.h"
#include "versions/collection_versions.h"
#include "webhooks/signature.h"
#include "webhooks/webhooks.h"

using namespace tradepost;
using nlohmann::json;

namespace {

struct Kind {
    const char *name, *table, *words, *words_id, *singular;
    json body;    // of a new one that the public sees, where it sees any
    json change;  // of one field that is searched
};

const Kind kinds[] = {
    {"jobs",
     "jobs",
     "job_search",
     "job_id",
     "job",
     {{"reference", "R-1"},
      {"title", "Fitter"},
      {"description", "Fit."},
      {"category", "Workshop"},
      {"contractType", "PERMANENT"},
      {"city", "Leeds"},
      {"status", "PUBLISHED"}},
     {{"title", "Welder"}}},
    {"events",
     "events",
     "event_search",
     "event_id",
     "event",
     {{"reference", "R-1"},
      {"title", "Fitter"},
      {"startsAt", "2030-01-01T00:00:00Z"},
      {"city", "Leeds"},
      {"publishedAt", "2026-01-01T00:00:00Z"}},
     {{"title", "Welder"}}},
    {"posts",
     "posts",
     "post_search",
     "post_id",
     "post",
     {{"reference", "R-1"}, {"title", "Fitter"}, {"body", "Fit."}, {"publishedAt", "2026-01-01T00:00:00Z"}},
     {{"title", "Welder"}}},
    {"stock",
     "stock_items",
     "stock_search",
     "stock_id",
     "stock",
     {{"reference", "R-1"}, {"title", "Fitter"}, {"price", 1}, {"currency", "GBP"}, {"status", "PUBLISHED"}},
     {{"title", "Welder"}}},
};

struct Fixture : test::ApplicationFixture {
    db::Connection connection{config.database};
    core::ManualClock clock{*core::parse_rfc3339("2026-03-01T12:00:00Z")};
    App app{config, clock, limiter};

    json send(const char* method, const std::string& path, const json& body, int status) {
        http::Request request;
        request.method = method;
        request.target = "/api/v1/" + path;
        request.headers.emplace_back("authorization", "Bearer " + test::fixture_token("ashford-admin"));
        request.headers.emplace_back("content-type", "application/json");
        if (!body.is_null()) request.body = body.dump();
        const auto response = app.handle(request);
        BOOST_TEST_REQUIRE(response.status == status, response.body);
        return json::parse(response.body)["data"];
    }
    std::string value(const std::string& select, const std::vector<db::Value>& values = {}) {
        const auto rows = connection.query("SELECT " + select, values);
        return rows.empty() ? "(none)" : rows[0].opt_text(0).value_or("(null)");
    }
    std::uint64_t version(const Kind& kind) {
        return std::stoull(
            value("COALESCE(SUM(version), 0) FROM collection_versions WHERE collection = '" + std::string(kind.name) + "'"));
    }

    // Checks the effects of one write, then empties the outbox and the change log.
    void check(const Kind& kind, const core::Uuid& id, const std::string& change, const std::string& history,
               const std::string& message, std::uint64_t version_before) {
        BOOST_TEST(value("kind FROM changes WHERE collection = '" + std::string(kind.name) + "' AND row_id = ?", {id}) == change);
        BOOST_TEST(value("GROUP_CONCAT(kind ORDER BY changed_at, id) FROM record_history WHERE collection = '" +
                             std::string(kind.name) + "' AND row_id = ?",
                         {id}) == history);
        const auto told = value("payloads FROM outbox_bundles WHERE kind = 'webhook'");
        BOOST_TEST((told.find("\"type\\\":\\\"" + message + "\\\"") != std::string::npos ||
                    told.find("\"type\":\"" + message + "\"") != std::string::npos),
                   told);
        BOOST_TEST(version(kind) > version_before);
        BOOST_TEST(test::recount_all(connection) == 0u);
        connection.execute("DELETE FROM outbox_bundles");
        connection.execute("DELETE FROM changes");
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(resource_effects, Fixture)

BOOST_AUTO_TEST_CASE(every_write_has_all_its_effects) {
    const auto organisation = core::Uuid::parse("0195f0a0-0000-7000-8000-00000000a001").value();
    webhooks::Webhook webhook{.id = core::Uuid::v7(clock.now()),
                              .organisation_id = organisation,
                              .url = "https://a.example/",
                              .events = {"job.changed", "event.changed", "post.changed", "stock.changed"},
                              .active = true,
                              .disabled_reason = {},
                              .failing_since = {},
                              .created_at = clock.now(),
                              .updated_at = clock.now()};
    webhooks::Webhooks(connection).insert(webhook, webhooks::new_secret());
    test::recount_all(connection);
    for (const auto& kind : kinds) BOOST_TEST_CONTEXT(kind.name) {
            const std::string path = kind.name, type = kind.singular;
            const auto row = std::string(" FROM ") + kind.table + " WHERE id = ?";
            const auto words = std::string("tokens FROM ") + kind.words + " WHERE " + kind.words_id + " = ?";
            auto before = version(kind);
            const auto made = send("POST", path, kind.body, 201);
            const auto id = core::Uuid::parse(made["id"].get<std::string>()).value();
            check(kind, id, "written", "CREATED", type + ".changed", before);
            BOOST_TEST(value("reference" + row, {id}) == "R-1");
            if (type != "stock") BOOST_TEST(value("listed" + row, {id}) == "1");
            const auto first = value(words, {id});
            BOOST_TEST(first != "(none)");

            before = version(kind);
            send("PATCH", path + "/" + id.to_string(), kind.change, 200);
            check(kind, id, "written", "CREATED,CHANGED", type + ".changed", before);
            BOOST_TEST(value(words, {id}) != first);

            // What changes nothing has no effect.
            before = version(kind);
            send("PATCH", path + "/" + id.to_string(), kind.change, 200);
            BOOST_TEST(version(kind) == before);
            BOOST_TEST(value("COUNT(*) FROM outbox_bundles") == "0");

            auto body = kind.body;
            send("PUT", path + "/by-reference/R-1", body, 200);
            check(kind, id, "written", "CREATED,CHANGED,CHANGED", type + ".changed", before);
            BOOST_TEST(value(words, {id}) == first);

            before = version(kind);
            send("DELETE", path + "/" + id.to_string(), nullptr, 200);
            check(kind, id, "removed", "(null)", type + ".deleted", before);
            BOOST_TEST(value("COUNT(*)" + row, {id}) == "0");
            BOOST_TEST(value(words, {id}) == "(none)");
            BOOST_TEST(value("reference FROM deletions WHERE collection = '" + path + "' AND row_id = ?", {id}) == "R-1");
        }
}

BOOST_AUTO_TEST_SUITE_END()
