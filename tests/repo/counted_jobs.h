// Jobs for the tests of counts, and lists of them held against SQL.
#pragma once
#include "repo/counted.h"
#include "repo/job_expiry.h"
#include "repo/job_writer.h"
#include "repo/jobs.h"
#include "repo/organisations.h"

namespace tradepost::test {

struct CountedJobs : CountedFixture {
    repo::Jobs jobs{connection, search};

    domain::Job job() {
        domain::Job job;
        job.id = Uuid::v7(now);
        job.slug = "job-" + std::to_string(made++);
        job.title = "Job";
        job.created_at = job.updated_at = now;
        job.organisation.id = organisations[below(3)];
        change(job);
        return job;
    }
    // Another value of anything that is counted, an organisation excepted.
    void change(domain::Job& job) {
        const auto pick = [&](std::initializer_list<const char*> texts) {
            const int at = below(int(texts.size()) + 1);
            return at == int(texts.size()) ? std::nullopt : std::optional<std::string>(*(texts.begin() + at));
        };
        job.category = pick({"Sales", "sáles", "Workshop", "—"});
        job.department = pick({"Parts", "Service"});
        job.contract_type = pick({"PERMANENT", "TEMPORARY"});
        job.city = pick({"London", "Łódź"});
        job.salary_min = below(3) ? std::optional<std::int64_t>(below(9) * 1000) : std::nullopt;
        job.salary_max = below(3) ? std::optional<std::int64_t>(8000 + below(9) * 1000) : std::nullopt;
        job.status = below(4) ? "PUBLISHED" : "DRAFT";
        job.published_at = job.status == "PUBLISHED" ? std::optional(now - 1min * below(500000)) : std::nullopt;
        job.expires_at = below(4) ? std::nullopt : std::optional(now + 1min * (below(200) - 100));
    }
    static void write(db::Connection& connection, const std::vector<domain::Job>& items) {
        repo::JobWriter writer(connection);
        writer.write(items);
        writer.finish();
    }
    void write(const std::vector<domain::Job>& items) {
        db::in_transaction(connection, [&] { write(connection, items); });
    }
    std::int64_t counted(const std::string& where) {
        return connection.query("SELECT COUNT(*) FROM jobs WHERE " + where).at(0).integer(0);
    }
};

// Conditions as somebody else would write them.
struct Sample {
    repo::JobFilter filter;
    std::string where;
};

inline std::vector<Sample> samples(const Uuid& organisation) {
    const auto with = [](auto set) {
        repo::JobFilter filter;
        set(filter);
        return filter;
    };
    const std::string o = "organisation_id = UNHEX(REPLACE('" + organisation.to_string() + "', '-', ''))";
    const std::string salaried = "(salary_min IS NOT NULL OR salary_max IS NOT NULL)";
    return {
        {{}, "1"},
        {with([](auto& f) { f.categories = {"SALES"}; }), "category IN ('Sales', 'sáles')"},
        {with([](auto& f) {
             f.categories = {"sales", "Workshop", "sáles"};
         }),
         "category IN ('Sales', 'sáles', 'Workshop')"},
        {with([](auto& f) { f.categories = {"—"}; }), "category = '—'"},
        {with([](auto& f) {
             f.categories = {"   ", "\u00ad"};
         }),
         "0"},
        {with([](auto& f) { f.departments = {"parts"}; }), "department = 'Parts'"},
        {with([](auto& f) {
             f.contract_types = {"PERMANENT", "PERMANENT"};
         }),
         "contract_type = 'PERMANENT'"},
        {with([](auto& f) {
             f.cities = {"lodz", "nowhere"};
         }),
         "city = 'Łódź'"},
        {with([&](auto& f) { f.organisation_id = organisation; }), o},
        {with([&](auto& f) { f.organisation_id = organisation, f.cities = {"London"}; }), o + " AND city = 'London'"},
        {with([](auto& f) {
             f.categories = {"Workshop"}, f.cities = {"London", "lodz"};
         }),
         "category = 'Workshop' AND city IS NOT NULL"},
        {with([](auto& f) { f.departments = {"Parts"}, f.contract_types = {"TEMPORARY"}; }),
         "department = 'Parts' AND contract_type = 'TEMPORARY'"},
        {with([](auto& f) { f.departments = {"Parts"}, f.contract_types = {"TEMPORARY"}, f.cities = {"London"}; }),
         "department = 'Parts' AND contract_type = 'TEMPORARY' AND city = 'London'"},
        {with([](auto& f) { f.salary_min = 9001; }), salaried + " AND (salary_max IS NULL OR salary_max >= 9001)"},
        {with([](auto& f) { f.salary_max = 3999; }), salaried + " AND (salary_min IS NULL OR salary_min <= 3999)"},
        {with([](auto& f) { f.salary_min = 12000, f.salary_max = 12000; }),
         salaried + " AND (salary_max IS NULL OR salary_max >= 12000) AND (salary_min IS NULL OR salary_min <= 12000)"},
        {with([](auto& f) { f.salary_min = INT64_MAX; }), "salary_min IS NOT NULL AND salary_max IS NULL"},
        {with([](auto& f) { f.categories = {"sales"}, f.salary_min = 10000; }),
         "category IN ('Sales', 'sáles') AND " + salaried + " AND (salary_max IS NULL OR salary_max >= 10000)"},
    };
}

inline const std::string shown =
    "status = 'PUBLISHED' AND organisation_id IN (SELECT id FROM organisations WHERE published = 1) AND "
    "(expires_at IS NULL OR expires_at > '2026-06-01 12:00:00.000') AND ";

inline void check_totals(CountedJobs& f) {
    for (const auto& sample : samples(f.organisations[0]))
        BOOST_TEST(f.jobs.count(sample.filter, now).total == f.counted(shown + sample.where), sample.where);
    repo::JobFilter own;
    own.organisation_id = f.organisations[1];
    own.every_state = true;
    const std::string of_it = "organisation_id = UNHEX(REPLACE('" + own.organisation_id->to_string() + "', '-', ''))";
    BOOST_TEST(f.jobs.count(own, now).total == f.counted(of_it));
    own.statuses = {"DRAFT", "CLOSED"};
    BOOST_TEST(f.jobs.count(own, now).total == f.counted(of_it + " AND status = 'DRAFT'"));
}

}  // namespace tradepost::test
