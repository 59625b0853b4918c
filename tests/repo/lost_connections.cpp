// The database goes away before each statement of each kind of write, one after the other: the answer says so, and is never 500.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "core/crypto.h"
#include "repo/application.h"

using namespace tradepost;

namespace {

// Ends all sessions of the database before the statement with the number `at`, counted from 1.
struct Cut {
    Cut(test::MigratedDatabase& database, db::Connection& admin, int at) : database_(database), admin_(admin), left_(at) {
        current = this;
        before_ = db::watch_statements(count);
    }
    ~Cut() {
        db::watch_statements(before_);
        current = nullptr;
    }
    bool reached() const { return left_ <= 0; }

private:
    static void count(std::string_view, const std::string&, const std::source_location&) {
        auto* cut = std::exchange(current, nullptr);  // what follows sends statements, too
        if (cut && --cut->left_ == 0) cut->kill();
        current = cut;
    }
    void kill() {
        for (const auto& row :
             admin_.query("SELECT id FROM information_schema.processlist WHERE db = ? AND id <> CONNECTION_ID()",
                          {database_.config().name}))
            try {
                database_.kill(row.unsigned_integer(0));
            } catch (const db::Error& error) {
                if (error.code != 1094) throw;  // that of an application before, which has just ended
            }
    }

    static inline Cut* current = nullptr;
    test::MigratedDatabase& database_;
    db::Connection& admin_;
    int left_;
    db::Watch before_;
};

struct Write {
    const char *method, *target, *body, *pool = "api";
};

constexpr Write writes[] = {
    {"PUT", "/api/v1/jobs/by-reference/lost",
     R"({"title":"Fitter %","description":"Fits.","category":"engineering","city":"York","country":"GB","contractType":"PERMANENT","status":"PUBLISHED"})"},
    {"PUT", "/api/v1/events/by-reference/lost", R"({"title":"Fair %","startsAt":"2026-06-01T10:00:00Z"})"},
    {"PUT", "/api/v1/posts/by-reference/lost", R"({"title":"News %"})"},
    {"PUT", "/api/v1/stock/by-reference/lost", R"({"title":"Van %","price":100,"currency":"EUR","status":"PUBLISHED"})"},
    {"PATCH", "/api/v1/stock/by-reference/lost", R"({"title":"Cart %"})"},
    {"PUT", "/api/v1/stock/feed", R"({"reference":"lost","title":"Lorry %","price":100,"currency":"EUR","status":"PUBLISHED"})",
     "uploads"},
    {"PATCH", "/api/v1/accounts", R"({"name":"Ashford %"})"},
    {"POST", "/api/v1/accounts/integrations", R"({"name":"Robot %"})"},
    {"POST", "/api/v1/webhooks", R"({"url":"https://hooks.example/%","events":["job.changed"]})"},
    {"POST", "/api/v1/me/tokens/rotate", "{}"},
};

std::string numbered(std::string text, int number) {
    const auto at = text.find('%');
    return at == std::string::npos ? text : text.replace(at, 1, std::to_string(number));
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(lost_connections, test::ApplicationFixture)

BOOST_AUTO_TEST_CASE(a_write_that_loses_the_database_is_unavailable) {
    core::ManualClock clock{*core::parse_rfc3339("2026-03-01T12:00:00Z")};
    db::Connection admin(config.database);
    for (const auto& write : writes) {
        bool reached = true;
        for (int at = 1; reached && at < 100; ++at)
            BOOST_TEST_CONTEXT(write.method << " " << write.target << ", statement " << at) {
                App app(config, clock, limiter, nullptr, nullptr, write.pool);
                http::Request request;
                request.method = write.method;
                request.target = write.target;
                request.headers = {
                    {"authorization", "Bearer " + test::fixture_token("ashford-admin")},
                    {"content-type", std::string_view(write.pool) == "uploads" ? "application/x-ndjson" : "application/json"}};
                request.body = numbered(write.body, at);
                const Cut cut(database, admin, at);
                const auto response = app.handle(request);
                reached = cut.reached();
                // What reads before the transaction is sent again.
                if (response.status < 200 || response.status > 299) {
                    BOOST_TEST(reached);
                    BOOST_TEST(response.status == 503);
                    BOOST_TEST(response.body == R"({"error":"Service unavailable"})");
                }
            }
        BOOST_TEST(!reached);
    }
}

BOOST_AUTO_TEST_SUITE_END()
