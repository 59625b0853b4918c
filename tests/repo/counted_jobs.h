// Jobs for the tests of counts, and lists of them held against SQL.
#pragma once
#include "repo/counted.h"
#include "resources/jobs/expiry.h"
#include "resources/jobs/job.h"
#include "resources/jobs/lists.h"
#include "support/put.h"

namespace tradepost::test {

struct CountedJobs : CountedFixture {
    jobs::Job job() {
        jobs::Job job;
        job.id = Uuid::v7(now);
        job.slug = "job-" + std::to_string(made++);
        job.title = "Job";
        job.created_at = job.updated_at = now;
        job.organisation.id = organisations[below(3)];
        change(job);
        return job;
    }
    // Another value of anything that is counted, an organisation excepted.
    void change(jobs::Job& job) {
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
    static void write(db::Connection& own, const std::vector<jobs::Job>& items) {
        writes::write(own, [&](writes::WriteTransaction& transaction) { test::put<jobs::Job>(transaction, items); }, {60s, 100});
    }
    void write(const std::vector<jobs::Job>& items) { write(connection, items); }
    std::size_t recount() { return counts::recount(connection, resource::Store<jobs::Job>::counted()); }
    bool counts_are_used() {
        return counts::scheme_of(connection, resource::Store<jobs::Job>::counted()) == counts::counting_scheme;
    }
    std::int64_t counted(const std::string& where) {
        return connection.query("SELECT COUNT(*) FROM jobs WHERE " + where).at(0).integer(0);
    }
};

// A query, and its conditions as somebody else would write them.
struct Sample {
    std::string query, where;
};

inline std::vector<Sample> samples(const Uuid& organisation) {
    const auto of = "organisationId=" + organisation.to_string(), o = "organisation_id = " + one_of(organisation);
    const std::string salaried = "(salary_min IS NOT NULL OR salary_max IS NOT NULL)";
    return {
        {"", "1"},
        {"category=SALES", "category IN ('Sales', 'sáles')"},
        {"category=sales&category=Workshop&category=s%C3%A1les", "category IN ('Sales', 'sáles', 'Workshop')"},
        {"category=%E2%80%94", "category = '—'"},
        {"category=%20%20%20&category=%C2%AD", "0"},
        {"department=parts", "department = 'Parts'"},
        {"contractType=PERMANENT&contractType=permanent", "contract_type = 'PERMANENT'"},
        {"city=lodz&city=nowhere", "city = 'Łódź'"},
        {of, o},
        {of + "&city=London", o + " AND city = 'London'"},
        {"category=Workshop&city=London&city=lodz", "category = 'Workshop' AND city IS NOT NULL"},
        {"department=Parts&contractType=TEMPORARY", "department = 'Parts' AND contract_type = 'TEMPORARY'"},
        {"department=Parts&contractType=TEMPORARY&city=London",
         "department = 'Parts' AND contract_type = 'TEMPORARY' AND city = 'London'"},
        {"salaryMin=9001", salaried + " AND (salary_max IS NULL OR salary_max >= 9001)"},
        {"salaryMax=3999", salaried + " AND (salary_min IS NULL OR salary_min <= 3999)"},
        {"salaryMin=12000&salaryMax=12000",
         salaried + " AND (salary_max IS NULL OR salary_max >= 12000) AND (salary_min IS NULL OR salary_min <= 12000)"},
        {"salaryMin=9223372036854775807", "salary_min IS NOT NULL AND salary_max IS NULL"},
        {"category=sales&salaryMin=10000",
         "category IN ('Sales', 'sáles') AND " + salaried + " AND (salary_max IS NULL OR salary_max >= 10000)"},
    };
}

inline const std::string shown =
    "status = 'PUBLISHED' AND organisation_id IN (SELECT id FROM organisations WHERE published = 1) AND "
    "(expires_at IS NULL OR expires_at > '2026-06-01 12:00:00.000') AND ";

inline void check_totals(CountedJobs& f) {
    for (const auto& sample : samples(f.organisations[0]))
        BOOST_TEST(total(f.connection, jobs::public_list(), sample.query, now).rows == f.counted(shown + sample.where),
                   sample.where);
    const auto of_it = "organisation_id = " + one_of(f.organisations[1]);
    const auto own = [&](const std::string& query) {
        return total(f.connection, jobs::member_list(), query, now, {f.organisations[1]}).rows;
    };
    BOOST_TEST(own("") == f.counted(of_it));
    BOOST_TEST(own("status=DRAFT&status=CLOSED") == f.counted(of_it + " AND status = 'DRAFT'"));
}

}  // namespace tradepost::test
