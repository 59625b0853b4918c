// The counts that writers keep: after whatever happens they are what the rows say, and totals are what SQL counts.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <thread>

#include "repo/job_expiry.h"
#include "repo/job_writer.h"
#include "repo/jobs.h"
#include "repo/organisations.h"
#include "repo/recount.h"
#include "support/database.h"

using namespace tradepost;
using core::Uuid;
using namespace std::chrono_literals;

namespace {

const core::Time now = *core::parse_rfc3339("2026-06-01T12:00:00Z");

struct Fixture {
    test::TestDatabase database;
    db::Connection connection;
    repo::MysqlSearch search{connection, 1500ms};
    repo::Jobs jobs{connection, search};
    std::mt19937 random{11};
    std::vector<Uuid> organisations;
    int made = 0;

    Fixture() : connection((database.migrate(), database.config())) {
        for (int i = 0; i < 3; ++i) {
            organisations.push_back(Uuid::v7(now));
            connection.execute("INSERT INTO organisations (id, slug, name, published, created_at, updated_at) VALUES (?, ?, 'O', 1, ?, ?)",
                               {organisations.back(), "org-" + std::to_string(i), now, now});
        }
    }

    int below(int n) { return int(random() % unsigned(n)); }

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
    std::int64_t counted(const std::string& where) { return connection.query("SELECT COUNT(*) FROM jobs WHERE " + where).at(0).integer(0); }
    // That the counts are not what the readers would use otherwise.
    std::uint64_t rows_read(const std::function<void()>& work) {
        const auto read = [&] {
            std::uint64_t sum = 0;
            for (const auto& row : connection.query("SHOW SESSION STATUS LIKE 'Handler_read%'")) sum += std::stoull(row.text(1));
            return sum;
        };
        const auto before = read();
        work();
        return read() - before;
    }
};

// Conditions as somebody else would write them.
struct Sample {
    repo::JobFilter filter;
    std::string where;
};

std::vector<Sample> samples(const Uuid& organisation) {
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
        {with([](auto& f) { f.categories = {"sales", "Workshop", "sáles"}; }), "category IN ('Sales', 'sáles', 'Workshop')"},
        {with([](auto& f) { f.categories = {"—"}; }), "category = '—'"},
        {with([](auto& f) { f.categories = {"   ", "\u00ad"}; }), "0"},
        {with([](auto& f) { f.departments = {"parts"}; }), "department = 'Parts'"},
        {with([](auto& f) { f.contract_types = {"PERMANENT", "PERMANENT"}; }), "contract_type = 'PERMANENT'"},
        {with([](auto& f) { f.cities = {"lodz", "nowhere"}; }), "city = 'Łódź'"},
        {with([&](auto& f) { f.organisation_id = organisation; }), o},
        {with([&](auto& f) { f.organisation_id = organisation, f.cities = {"London"}; }), o + " AND city = 'London'"},
        {with([](auto& f) { f.categories = {"Workshop"}, f.cities = {"London", "lodz"}; }), "category = 'Workshop' AND city IS NOT NULL"},
        {with([](auto& f) { f.departments = {"Parts"}, f.contract_types = {"TEMPORARY"}; }), "department = 'Parts' AND contract_type = 'TEMPORARY'"},
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

const std::string shown = "status = 'PUBLISHED' AND organisation_id IN (SELECT id FROM organisations WHERE published = 1) AND "
                          "(expires_at IS NULL OR expires_at > '2026-06-01 12:00:00.000') AND ";

void check_totals(Fixture& f) {
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

}  // namespace

BOOST_FIXTURE_TEST_SUITE(list_counts, Fixture)

BOOST_AUTO_TEST_CASE(counts_follow_every_write) {
    std::vector<domain::Job> all;
    for (int i = 0; i < 120; ++i) all.push_back(job());
    write(all);
    check_totals(*this);
    for (int round = 0; round < 12; ++round) {
        db::in_transaction(connection, [&] {
            repo::JobWriter writer(connection);
            std::vector<domain::Job> batch;
            for (int i = 0; i < 9; ++i) change(all[std::size_t(round * 9 + i)]), batch.push_back(all[std::size_t(round * 9 + i)]);
            batch.push_back(job());
            writer.write(batch);
            writer.write(std::span(&batch[0], 1));  // twice in one transaction
            writer.remove(batch[1].id);
            writer.remove(Uuid::v7(now));
            writer.finish();
        });
        repo::Organisations(connection).set_published(organisations[std::size_t(round % 2)], round % 4 > 1, now);
        check_totals(*this);
    }
    BOOST_TEST(repo::recount_jobs(connection) == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_rolled_back_is_not_counted) {
    std::vector<domain::Job> all;
    for (int i = 0; i < 40; ++i) all.push_back(job());
    write(all);
    {
        db::Transaction transaction(connection);
        write(connection, {job(), job()});
    }
    BOOST_TEST(repo::recount_jobs(connection) == 0u);
    check_totals(*this);
}

BOOST_AUTO_TEST_CASE(writers_that_race_leave_exact_counts) {
    std::vector<domain::Job> all;
    for (int i = 0; i < 30; ++i) all.push_back(job());
    write(all);
    std::vector<std::vector<domain::Job>> changes(4);
    for (auto& mine : changes)
        for (int i = 0; i < 40; ++i) {
            auto item = all[std::size_t(below(30))];
            if (i % 10 == 0) item = job();
            change(item);
            mine.push_back(item);
        }
    changes[1][0] = changes[0][0];  // an id that nobody has yet, twice
    std::vector<std::thread> threads;
    for (const auto& mine : changes)
        threads.emplace_back([&] {
            db::Connection own(database.config());
            for (const auto& item : mine)
                for (bool done = false; !done;) try {
                        db::in_transaction(own, [&] { write(own, {item}); }, 60s);
                        done = true;
                    } catch (const db::Error& error) {
                        if (!error.is_duplicate_key()) throw;
                    }
        });
    for (auto& thread : threads) thread.join();
    BOOST_TEST(repo::recount_jobs(connection) == 0u);
    check_totals(*this);
}

BOOST_AUTO_TEST_CASE(an_expired_job_is_taken_off_at_once_and_unlisted_later) {
    std::vector<domain::Job> all;
    for (int i = 0; i < 150; ++i) all.push_back(job());
    write(all);
    const auto listed_and_expired = counted("listed = 1 AND expires_at <= '2026-06-01 12:00:00'");
    BOOST_REQUIRE(listed_and_expired > 0);
    BOOST_TEST(jobs.count({}, now).expired == listed_and_expired);
    const auto total = jobs.count({}, now).total;
    const auto later = now + 10s;
    BOOST_TEST(repo::unlist_expired_jobs(connection, later, 2) == 2u);
    while (repo::unlist_expired_jobs(connection, later, 3) > 0) {
    }
    BOOST_TEST(jobs.count({}, now).expired == 0);
    BOOST_TEST(jobs.count({}, now).total == total);
    BOOST_TEST(repo::recount_jobs(connection) == 0u);
    check_totals(*this);

    // What gets another time is listed again.
    for (auto& item : all) item.expires_at.reset();
    write(all);
    check_totals(*this);
    BOOST_TEST(repo::recount_jobs(connection) == 0u);
}

BOOST_AUTO_TEST_CASE(unlisting_leaves_what_another_host_may_still_show) {
    auto item = job();
    item.status = "PUBLISHED";
    item.published_at = now - 1h;
    item.expires_at = now;
    write({item});
    BOOST_TEST(repo::unlist_expired_jobs(connection, now + 4999ms, 10) == 0u);
    BOOST_TEST(repo::unlist_expired_jobs(connection, now + 5s, 10) == 1u);
}

BOOST_AUTO_TEST_CASE(unlisting_is_due_when_many_have_expired) {
    std::vector<domain::Job> all;
    const auto expire = [&](int count) {
        for (int i = 0; i < count; ++i) {
            all.push_back(job());
            all.back().status = "PUBLISHED";
            all.back().published_at = now - 1h;
            all.back().expires_at = now - 1min;
        }
        write(all);
    };
    expire(int(repo::few_expired_jobs));
    jobs.count({}, now);
    BOOST_TEST(!jobs.unlisting_is_due());
    expire(201);
    jobs.count({}, now);
    BOOST_TEST(jobs.unlisting_is_due());
    jobs.unlist_expired(now);
    BOOST_TEST(!jobs.unlisting_is_due());
    BOOST_TEST(jobs.count({}, now).expired == repo::few_expired_jobs + 1);
    BOOST_TEST(repo::recount_jobs(connection) == 0u);
}

BOOST_AUTO_TEST_CASE(recount_mends_what_was_changed_by_hand_while_others_write) {
    std::vector<domain::Job> all;
    for (int i = 0; i < 100; ++i) all.push_back(job());
    write(all);
    connection.execute("DELETE FROM job_search");
    connection.execute("DELETE FROM jobs LIMIT 20");
    connection.execute("UPDATE jobs SET listed = 0 WHERE listed = 1 LIMIT 10");
    const auto more = job();
    bool written = false;
    BOOST_TEST(repo::recount_jobs(connection, [&](std::size_t) {
                   if (std::exchange(written, true)) return;
                   db::Connection other(database.config());
                   db::in_transaction(other, [&] { write(other, {more}); });
               }) > 0u);
    BOOST_TEST(repo::recount_jobs(connection) == 0u);
}

BOOST_AUTO_TEST_CASE(two_who_recount_at_once_do_not_add_the_same_twice) {
    std::vector<domain::Job> all;
    for (int i = 0; i < 50; ++i) all.push_back(job());
    write(all);
    connection.execute("DELETE FROM list_counts WHERE measure <> 255");
    std::thread other;
    repo::recount_jobs(connection, [&](std::size_t) {
        if (other.joinable()) return;
        other = std::thread([&] {
            db::Connection second(database.config());
            repo::recount_jobs(second);
        });
    });
    other.join();
    BOOST_TEST(repo::recount_jobs(connection) == 0u);
}

BOOST_AUTO_TEST_CASE(rows_are_counted_while_counts_are_not_complete) {
    std::vector<domain::Job> all;
    for (int i = 0; i < 60; ++i) all.push_back(job());
    write(all);
    BOOST_TEST(repo::totals_are_kept(connection));
    connection.execute("DELETE FROM list_counts");
    BOOST_TEST(!repo::totals_are_kept(connection));
    check_totals(*this);
    BOOST_TEST(repo::recount_jobs(connection) > 0u);
    BOOST_TEST(repo::recount_jobs(connection) == 0u);
    check_totals(*this);
}

BOOST_AUTO_TEST_CASE(totals_read_counts_and_not_rows) {
    std::vector<domain::Job> all;
    for (int i = 0; i < 3000; ++i) {
        all.push_back(job());
        all.back().expires_at.reset();
    }
    write(all);
    for (const auto& sample : samples(organisations[0])) {
        if (sample.filter.departments.size() + sample.filter.contract_types.size() + sample.filter.cities.size() == 3) continue;
        BOOST_TEST(rows_read([&] { jobs.count(sample.filter, now); }) < 150u, sample.where);
    }
}

BOOST_AUTO_TEST_CASE(a_page_far_on_is_found_without_walking_there) {
    std::vector<domain::Job> all;
    for (int i = 0; i < 6000; ++i) {
        all.push_back(job());
        if (i % 50) all.back().expires_at.reset();
        if (i % 3 == 0) all.back().published_at = now - 1h;  // an import's
        if (i % 7 == 0) all.back().published_at = core::Time(-1h * (i + 1));
        if (all.back().status == "DRAFT") all.back().published_at.reset();
    }
    write(all);
    for (const auto& sample : samples(organisations[0])) {
        const auto count = jobs.count(sample.filter, now);
        const auto expected = connection.query("SELECT id FROM jobs WHERE " + shown + sample.where + " ORDER BY published_at DESC, id DESC");
        for (const std::int64_t offset : {999, 1000, 1001, 1500, 2500, 3333, 4000, 5000}) {
            const auto page = jobs.page(sample.filter, count, {offset, 5}, now);
            const auto size = std::clamp<std::int64_t>(std::int64_t(expected.size()) - offset, 0, 5);
            BOOST_REQUIRE(std::int64_t(page.size()) == size);
            for (std::int64_t i = 0; i < size; ++i) BOOST_TEST((page[std::size_t(i)].id == expected[std::size_t(offset + i)].uuid(0)));
        }
    }
    const auto count = jobs.count({}, now);
    BOOST_TEST(rows_read([&] { jobs.page({}, count, {count.total - 20, 20}, now); }) < 2500u);
}

BOOST_AUTO_TEST_SUITE_END()
