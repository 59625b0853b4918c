#include <span>

#include "scale/reads.h"

namespace tradepost::test {
namespace {

const std::string from = "jobs t JOIN fixture_organisations o ON o.id = t.organisation_id";
const std::string listed = "t.status = 'PUBLISHED' AND o.published = 1 AND (t.expires_at IS NULL OR t.expires_at > '{now}')";
const std::string order = "t.published_at DESC, t.id DESC";

struct Filter {
    std::string name, query, where;
};

// One of each kind; the salary's three ways are one kind.
const std::vector<Filter>& filters() {
    static const std::vector<Filter> all{
        {"category", parameter("category", "categorie 3"), "t.category = 'Catégorie 3'"},
        {"department", parameter("department", "department 4"), "t.department = 'Department 4'"},
        {"contractType", parameter("contractType", "PERMANENT"), "t.contract_type = 'PERMANENT'"},
        {"city", parameter("city", "lodz 0"), "t.city = 'Łódź 0'"},
        {"organisationId", "organisationId={organisation}", "o.n = 0"},
    };
    return all;
}
const std::vector<Filter>& salaries() {
    static const std::vector<Filter> all{
        {"salaryMin", "salaryMin=60000", "(t.salary_max >= 60000 OR (t.salary_max IS NULL AND t.salary_min IS NOT NULL))"},
        {"salaryMax", "salaryMax=40000", "(t.salary_min <= 40000 OR (t.salary_min IS NULL AND t.salary_max IS NOT NULL))"},
        {"salary range", "salaryMin=40000&salaryMax=60000",
         "COALESCE(t.salary_min, t.salary_max) IS NOT NULL AND COALESCE(t.salary_max, 4000000000) >= 40000 AND "
         "COALESCE(t.salary_min, 0) <= 60000"},
    };
    return all;
}

Read read(const std::string& name, const std::string& query, const std::string& where, At at = At::first,
          const std::string& by_design = {}) {
    return {"jobs: " + name, "/jobs", query, Caller::anybody, from, both(listed, where), order, at, by_design};
}
Read read(const Filter& filter, At at = At::first) {
    static const char* const places[] = {"", ", middle page", ", last page", ", past the end"};
    return read(filter.name + places[int(at)], filter.query, filter.where, at);
}
Filter both(const Filter& a, const Filter& b) {
    return {a.name + " and " + b.name, joined(a.query, b.query), test::both(a.where, b.where)};
}

}  // namespace

std::vector<Read> job_reads() {
    std::vector<Read> all{read("all", "", "")};
    for (const auto& filter : filters()) all.push_back(read(filter));
    for (const auto& filter : salaries()) all.push_back(read(filter));
    for (std::size_t i = 0; i < filters().size(); ++i) {
        for (std::size_t k = i + 1; k < filters().size(); ++k) all.push_back(read(both(filters()[i], filters()[k])));
        for (const auto& salary : salaries()) all.push_back(read(both(filters()[i], salary)));
    }
    const auto& category = filters()[0];
    const auto& contract_type = filters()[2];
    const auto& city = filters()[3];
    const Filter two_categories{"two categories", category.query + "&" + parameter("category", "categorie 5"),
                                "t.category IN ('Catégorie 3', 'Catégorie 5')"};
    const Filter two_cities{"two cities", city.query + "&" + parameter("city", "lodz 7"), "t.city IN ('Łódź 0', 'Łódź 7')"};
    const Filter small_city{"small city", parameter("city", "lodz 250"), "t.city = 'Łódź 250'"};
    for (const auto& filter : {two_categories, two_cities, both(two_categories, two_cities), small_city,
                               both(category, small_city), both(small_city, salaries()[2])})
        all.push_back(read(filter));
    all.push_back(read("unknown city", "city=nowhere", "t.city = 'nowhere'"));
    for (const At at : {At::middle, At::last, At::past_the_end})
        for (const auto& filter : {Filter{"all", "", ""}, category, city, salaries()[2], filters()[4]})
            if (at != At::middle || filter.name != salaries()[2].name) all.push_back(read(filter, at));
    // Up to the thousandth match the city's index is walked; further on counts tell where to begin.
    const auto pair = both(category, city);
    for (const At at : {At::middle, At::last, At::past_the_end})
        all.push_back(read(pair.name + " (reads the city's index)" +
                               (at == At::middle ? ", middle page"
                                : at == At::last ? ", last page"
                                                 : ", past the end"),
                           pair.query, pair.where, at, test::both(listed, city.where)));
    const auto& range = salaries()[2];
    all.push_back(read(range.name + ", middle page (reads half of the index)", range.query, range.where, At::middle, listed));

    // By salary; jobs that have one salary are walked through.
    const std::string by_salary =
        "COALESCE(t.salary_min, t.salary_max) IS NULL, IFNULL(t.salary_max, 4294967295) DESC, t.id DESC";
    for (const auto& filter : {Filter{"all", "", ""}, category, city, salaries()[2], filters()[4]}) {
        const At places[] = {At::first, At::middle, At::last};
        for (const At at : std::span(places).first(filter.query.empty() ? 3 : 1)) {
            auto sorted = read(filter, at);
            sorted.name += ", by salary";
            sorted.query = joined(sorted.query, "sort=salary");
            sorted.order = by_salary;
            all.push_back(sorted);
        }
    }

    // Three filters and more are counted through the index of one.
    const std::string of_city = test::both(listed, city.where);
    const std::vector<Filter> threes{both(both(category, contract_type), city), both(both(category, city), salaries()[2]),
                                     both(both(both(category, filters()[1]), contract_type), city)};
    for (const auto& filter : threes)
        all.push_back(read(filter.name + " (reads the city's index)", filter.query, filter.where, At::first, of_city));
    const auto three = both(both(filters()[4], category), contract_type);
    all.push_back(read(three.name + " (reads the organisation's index)", three.query, three.where, At::first,
                       test::both(listed, "o.n = 0")));
    return all;
}

}  // namespace tradepost::test
