#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "scale/checks.h"

namespace tradepost::test {
namespace {

using core::Time;
using nlohmann::json;

std::string one(SizedDatabase& database, const std::string& sql) {
    return database.connection().query(database.filled(sql)).at(0).text(0);
}

std::string one_id(SizedDatabase& database, const std::string& sql) {
    return database.connection().query(database.filled(sql)).at(0).uuid(0).to_string();
}

// Measures the same in both sizes; `target` tells what is asked of each.
void same_in_both(const std::string& name, const std::function<std::string(SizedDatabase&)>& target,
                  Caller caller = Caller::anybody, int status = 200, std::int64_t more = 0) {
    Cost cost[2];
    SizedDatabase* const databases[] = {&*sizes().small, &*sizes().large};
    for (int i = 0; i < 2; ++i) {
        const auto measured = measure(*databases[i], target(*databases[i]), caller);
        BOOST_TEST(measured.response.status == status, measured.response.body);
        cost[i] = measured.cost;
    }
    check_cost(name, cost[0], cost[1], more);
}

void details(Checks& all) {
    const auto add = [&](const std::string& name, const std::string& path, const std::string& sql, bool is_id,
                         Caller caller = Caller::anybody) {
        all.emplace_back(name, [=] {
            same_in_both(
                name, [&](SizedDatabase& database) { return path + (is_id ? one_id(database, sql) : one(database, sql)); },
                caller);
        });
    };
    for (const std::string kind : {"jobs", "events", "posts"}) {
        const auto from = " FROM " + kind + " WHERE listed = 1 AND published_at < '{now}'" +
                          (kind == "jobs" ? " AND expires_at IS NULL" : "") + " LIMIT 1";
        add(kind + ": one by id", "/" + kind + "/", "SELECT id" + from, true);
        add(kind + ": one by slug", "/" + kind + "/", "SELECT slug" + from, false);
        all.emplace_back(kind + ": none by slug", [=] {
            same_in_both(
                kind + ": none by slug", [&](SizedDatabase&) { return "/" + kind + "/nothing-has-this"; }, Caller::anybody, 404);
        });
    }
    const std::string of_dealer =
        " t JOIN fixture_organisations o ON o.id = t.organisation_id AND o.n = 0 ORDER BY t.id DESC LIMIT 1";
    add("stock: one", "/stock/", "SELECT t.id FROM stock_items" + of_dealer, true, Caller::dealer);
    add("enquiries: one", "/enquiries/", "SELECT t.id FROM enquiries" + of_dealer, true, Caller::dealer);
    for (const std::string path : {"/me", "/accounts"})
        all.emplace_back(path, [=] {
            same_in_both(
                path, [&](SizedDatabase&) { return path; }, Caller::dealer);
        });
}

// They cost as much as there are values, which are as many in both.
void facets(Checks& all) {
    constexpr std::int64_t values = 1000;
    const auto add = [&](const std::string& name, const std::string& target, Caller caller = Caller::anybody) {
        all.emplace_back(name, [=] {
            same_in_both(
                name, [&](SizedDatabase& database) { return filled(database, target); }, caller, 200, values);
        });
    };
    const std::string of_jobs = "/jobs/facets?fields=category,department,contractType,city";
    add("jobs: facets", of_jobs);
    add("jobs: facets of a city", of_jobs + "&" + parameter("city", "lodz 0"));
    add("jobs: facets of two cities", of_jobs + "&" + parameter("city", "lodz 0") + "&" + parameter("city", "lodz 7"));
    add("jobs: facets of an organisation", of_jobs + "&organisationId={organisation}");
    add("jobs: facets of a city and a category",
        "/jobs/facets?fields=category,city&" + parameter("city", "lodz 0") + "&" + parameter("category", "categorie 3"));
    add("events: facets", "/events/facets?fields=category,city");
    add("posts: facets", "/posts/facets?fields=tag");
    add("stock: facets", "/stock/facets?fields=category,make,model,condition,status,availability", Caller::dealer);
}

void polls(Checks& all) {
    const auto add = [&](const std::string& name, const std::string& path, const std::string& table, const std::string& whose,
                         const std::string& by_design = {}) {
        const std::string from = table + " t JOIN fixture_organisations o ON o.id = t.organisation_id";
        if (!by_design.empty()) expect(from, by_design);
        all.emplace_back(name, [=] {
            same_in_both(
                name,
                [&](SizedDatabase& database) {
                    // What changed last: as much in both.
                    const auto since = database.connection()
                                           .query("SELECT t.updated_at FROM " + table +
                                                  " t JOIN fixture_organisations o ON o.id = t.organisation_id WHERE " + whose +
                                                  " ORDER BY t.updated_at DESC LIMIT 1 OFFSET 15")
                                           .at(0)
                                           .time(0);
                    return path + parameter("updatedSince", core::to_rfc3339(since));
                },
                Caller::dealer, 200, by_design.empty() ? 0 : 6 * sizes().large->count(from, by_design));
        });
    };
    add("stock: poll", "/stock?", "stock_items", "o.n = 0");
    add("enquiries: poll", "/enquiries?", "enquiries", "o.n = 0");
    const std::string sent = "t.from_user_id = UNHEX(MD5('user 0'))";
    add("enquiries: poll of what was sent (reads the sender's index)", "/enquiries?sent=true&", "enquiries", sent, sent);
}

// One kind of writing, and what lists then show, in both sizes.
struct Writes {
    Cost post[2], patch[2], list[2], remove[2];
};

std::int64_t total_of(const Measured& measured) {
    BOOST_TEST_REQUIRE(measured.response.status == 200, measured.response.body);
    return json::parse(measured.response.body).at("data").at("total");
}

// A new resource, changed, deleted: after each the list with `before` and the one with `after` (queries) are exact.
void write(const std::string& path, const json& body, const json& change, const std::string& before, const std::string& after) {
    Writes costs;
    SizedDatabase* const databases[] = {&*sizes().small, &*sizes().large};
    for (int i = 0; i < 2; ++i) {
        auto& database = *databases[i];
        const auto total = [&](const std::string& query) {
            const auto measured = measure(database, path + "?" + query, Caller::dealer);
            costs.list[i] = measured.cost;
            return total_of(measured);
        };
        const auto one = total(before), other = total(after);
        const auto posted = measure(database, path, Caller::dealer, "POST", body.dump());
        BOOST_TEST_REQUIRE(posted.response.status == 201, posted.response.body);
        const std::string id = json::parse(posted.response.body).at("data").at("id");
        BOOST_TEST(total(before) == one + 1);
        BOOST_TEST(total(after) == other);
        const auto changed = measure(database, path + "/" + id, Caller::dealer, "PATCH", change.dump());
        BOOST_TEST_REQUIRE(changed.response.status == 200, changed.response.body);
        BOOST_TEST(total(before) == one);
        BOOST_TEST(total(after) == other + 1);
        const auto removed = measure(database, path + "/" + id, Caller::dealer, "DELETE");
        BOOST_TEST_REQUIRE(removed.response.status == 200, removed.response.body);
        BOOST_TEST(total(after) == other);
        costs.post[i] = posted.cost;
        costs.patch[i] = changed.cost;
        costs.remove[i] = removed.cost;
    }
    check_cost("POST " + path, costs.post[0], costs.post[1]);
    check_cost("PATCH " + path, costs.patch[0], costs.patch[1]);
    check_cost("DELETE " + path, costs.remove[0], costs.remove[1]);
    check_cost(path + " right after a write", costs.list[0], costs.list[1]);
}

void writes(Checks& all) {
    const json job{{"title", "New"},   {"description", "New."}, {"category", "Catégorie 3"}, {"contractType", "PERMANENT"},
                   {"city", "Łódź 0"}, {"status", "PUBLISHED"}, {"salaryMin", 30000},        {"salaryMax", 30500}};
    all.emplace_back("jobs: writes by category", [=] {
        write("/jobs", job, {{"category", "Catégorie 4"}}, parameter("category", "catégorie 3"),
              parameter("category", "catégorie 4"));
    });
    all.emplace_back("jobs: writes by salary", [=] {
        write("/jobs", job, {{"salaryMin", 90000}, {"salaryMax", nullptr}}, "salaryMax=30000",
              "salaryMin=90000&" + parameter("city", "Łódź 0"));
    });
    const json item{{"reference", "new one"}, {"title", "New"}, {"status", "DRAFT"}, {"price", 1}, {"currency", "GBP"}};
    all.emplace_back("stock: writes", [=] {
        write("/stock", item, {{"status", "PUBLISHED"}}, "status=DRAFT", "status=PUBLISHED");
    });
    all.emplace_back("enquiries: writes", [=] {
        const auto id = one_id(*sizes().small, "SELECT id FROM fixture_organisations WHERE n = 0");
        write("/enquiries", {{"organisationId", id}, {"name", "Name"}, {"message", "Message"}}, {{"status", "READ"}},
              "status=NEW", "status=READ");
    });
}

// Jobs that expire leave the lists without anybody's doing; as many as have since the last sweep may be looked at.
void expiry(Checks& all) {
    for (const auto& query :
         {std::string(), parameter("category", "categorie 3"), std::string("salaryMin=40000&salaryMax=60000")})
        all.emplace_back("jobs: an expiry has passed, " + (query.empty() ? "all" : query.substr(0, query.find('='))), [=] {
            Cost cost[2];
            std::int64_t expired = 0;
            SizedDatabase* const databases[] = {&*sizes().small, &*sizes().large};
            for (int i = 0; i < 2; ++i) {
                auto& database = *databases[i];
                const auto later = database.now() + std::chrono::hours(26);
                const std::string listed =
                    " FROM jobs t JOIN fixture_organisations o ON o.id = t.organisation_id WHERE t.status = 'PUBLISHED' AND "
                    "o.published = 1";
                const std::string where =
                    query.empty() ? ""
                    : query.starts_with("cat")
                        ? " AND t.category = 'Catégorie 3'"
                        : " AND COALESCE(t.salary_min, t.salary_max) IS NOT NULL AND COALESCE(t.salary_max, 4000000000) >= 40000 "
                          "AND COALESCE(t.salary_min, 0) <= 60000";
                const auto expected =
                    database.connection()
                        .query("SELECT COUNT(*)" + listed + where + " AND (t.expires_at IS NULL OR t.expires_at > ?)", {later})
                        .at(0)
                        .integer(0);
                expired = database.connection()
                              .query("SELECT COUNT(*)" + listed + " AND t.expires_at > ? AND t.expires_at <= ?",
                                     {database.now(), later})
                              .at(0)
                              .integer(0);
                const auto measured = measure(database, later, "/jobs?" + query, Caller::anybody);
                BOOST_TEST(total_of(measured) == expected);
                cost[i] = measured.cost;
            }
            BOOST_TEST(expired > 0);
            check_cost("jobs: an expiry has passed", cost[0], cost[1], 3 * expired);
        });
}

// An index that the server does not use any more, as if it were lost, until this goes.
class Lost {
public:
    Lost(SizedDatabase& database, const std::string& table, const std::string& index)
        : database_(database), alter_("ALTER TABLE " + table + " ALTER INDEX " + index) {
        database_.connection().execute(alter_ + " IGNORED");
    }
    ~Lost() { database_.connection().execute(alter_ + " NOT IGNORED"); }

private:
    SizedDatabase& database_;
    std::string alter_;
};

// Whether these tests are worth something. Where a statement names its index it fails without: that needs no test.
void lost_indexes(Checks& all) {
    const auto add = [&](const std::string& table, const std::string& index, const std::string& target) {
        all.emplace_back("a lost index is seen: " + index, [=] {
            auto& database = *sizes().large;
            const auto with = measure(database, target, Caller::anybody);
            const Lost lost(database, table, index);
            const auto without = measure(database, target, Caller::anybody);
            BOOST_TEST(without.response.status == with.response.status);
            BOOST_TEST(!complaints(index, with.cost, without.cost).empty());
        });
    };
    add("jobs", "jobs_slug", "/jobs/job-17");
    add("events", "events_slug", "/events/event-17");
    add("posts", "posts_slug", "/posts/post-17");
}

}  // namespace

Checks other_checks() {
    Checks all;
    details(all);
    facets(all);
    polls(all);
    writes(all);
    expiry(all);
    lost_indexes(all);
    return all;
}

}  // namespace tradepost::test
