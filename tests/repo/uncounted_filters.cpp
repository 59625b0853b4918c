// Filters that nobody keeps counts of: slower, but never wrong.
#include "repo/counted_jobs.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

using lists::Compare;

// Filters by columns without a letter or a range, as somebody who forgets these would add them.
constexpr lists::Filter more[] = {
    {.parameter = "workplace", .compare = Compare::code, .column = "workplace"},
    {.parameter = "slug", .compare = Compare::reference, .column = "slug"},
    {.parameter = "lowest", .compare = Compare::at_least, .column = "salary_min"},
    {.parameter = "expiresTo", .compare = Compare::to, .column = "expires_at"},
    // Columns with a letter, in other ways than their letters are counted by.
    {.parameter = "town", .compare = Compare::folded, .column = "city_key"},
    {.parameter = "hasCategory", .compare = Compare::present, .column = "category_key"},
};

struct Fixture : CountedJobs {
    std::vector<lists::Filter> filters{jobs::public_list().filters.begin(), jobs::public_list().filters.end()};
    lists::List list = jobs::public_list();

    Fixture() {
        filters.insert(filters.end(), std::begin(more), std::end(more));
        list.filters = filters;
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(uncounted_filters, Fixture)

BOOST_AUTO_TEST_CASE(rows_are_counted) {
    std::vector<jobs::Job> all;
    for (int i = 0; i < 1500; ++i) {
        all.push_back(job());
        all.back().workplace = pick({"ON_SITE", "HYBRID"});
    }
    write(all);
    BOOST_REQUIRE(counts_are_used());
    const std::string until = "expires_at <= '2026-06-01 13:00:00'";
    for (const auto& [query, where] : std::vector<std::pair<std::string, std::string>>{
             {"workplace=hybrid", "workplace = 'HYBRID'"},
             {"workplace=HYBRID&workplace=ON_SITE", "workplace IS NOT NULL"},
             {"workplace=NOWHERE", "0"},
             {"workplace=HYBRID&city=London", "workplace = 'HYBRID' AND city = 'London'"},
             {"workplace=HYBRID&salaryMin=9001",
              "workplace = 'HYBRID' AND NOT (salary_min IS NULL AND salary_max IS NULL) AND COALESCE(salary_max, 9999999) >= "
              "9001"},
             {"slug=job-7&slug=job-9&slug=JOB-9", "slug IN ('job-7', 'job-9')"},
             {"lowest=4000", "salary_min >= 4000"},
             {"town=London", "city = 'London'"},
             {"city=London&town=london", "city = 'London'"},
             {"city=London&town=lodz", "0"},
             {"hasCategory=true", "category_key IS NOT NULL"},
             {"expiresTo=2026-06-01T13:00:00Z", until},
             {"expiresTo=2026-06-01T13:00:00Z&lowest=2000&category=Workshop",
              until + " AND salary_min >= 2000 AND category = 'Workshop'"},
         })
        check_list(connection, selected(list, query),
                   select("SELECT id FROM jobs WHERE " + shown + where + " ORDER BY published_at DESC, id DESC"), now);
}

BOOST_AUTO_TEST_CASE(every_value_has_a_key_of_its_own) {
    std::set<std::string> keys;
    const std::vector<std::string> queries{"",
                                           "workplace=HYBRID",
                                           "workplace=ON_SITE",
                                           "workplace=HYBRID&workplace=ON_SITE",
                                           "slug=HYBRID",
                                           "slug=hybrid",
                                           "slug=a&slug=b",
                                           "slug=a%201:b",
                                           "slug=a%26lowest",
                                           "lowest=1",
                                           "lowest=11",
                                           "slug=a&lowest=1",
                                           "expiresTo=2026-06-01",
                                           "expiresTo=2026-06-02",
                                           "city=HYBRID"};
    for (const auto& query : queries) BOOST_TEST(keys.insert(selected(list, query).key()).second, query);
    // The same question has one key, in whatever order and form it is asked.
    BOOST_TEST(selected(list, "workplace=on_site&workplace=HYBRID").key() ==
               selected(list, "workplace=HYBRID&workplace=ON_SITE").key());
    BOOST_TEST(selected(list, "slug=a&lowest=1&utm=1").key() == selected(list, "lowest=1&slug=a").key());
    BOOST_TEST(selected(jobs::member_list(), "", {organisations[0]}).key() !=
               selected(jobs::member_list(), "", {organisations[1]}).key());
}

BOOST_AUTO_TEST_SUITE_END()
