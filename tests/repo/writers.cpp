// Writing content: what is derived from a row, and what a write must never do.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "core/text.h"
#include "identity/people/user_writer.h"
#include "repo/import_support.h"
#include "resources/events/event.h"
#include "resources/jobs/job.h"
#include "resources/posts/post.h"
#include "search/engines/boolean_query.h"
#include "support/put.h"
#include "writes/slugs.h"

using namespace tradepost;

namespace {

struct Fixture : test::ImportFixture {
    identity::Organisation owner(const char* slug) { return identity::Organisations(connection).find_by_slug(slug).value(); }

    jobs::Job job(const std::string& slug, const char* organisation = "north-tractors") {
        jobs::Job job;
        job.id = core::Uuid::v7(clock.now());
        job.slug = slug;
        job.organisation.id = owner(organisation).id;
        job.title = "Fitter";
        job.status = "PUBLISHED";
        job.published_at = job.created_at = job.updated_at = clock.now();
        return job;
    }
    posts::Post post(const std::string& slug) {
        posts::Post post;
        post.id = core::Uuid::v7(clock.now());
        post.slug = slug;
        post.title = "News";
        post.published_at = post.created_at = post.updated_at = clock.now();
        return post;
    }
    template <class T>
    void write(const std::vector<T>& items) {
        writes::write(connection, [&](writes::WriteTransaction& transaction) { test::put<T>(transaction, items); });
    }
};

std::string hex(std::string_view text) {
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string out;
    for (const unsigned char c : core::fold_key(text)) (out += digits[c >> 4]) += digits[c & 15];
    return out;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(writers, Fixture)

BOOST_AUTO_TEST_CASE(a_job_comes_back_as_it_was) {
    auto written = job("fitter");
    written.summary = "It's a \"good\" job\\";
    written.description = "Zeile 1\nZeile 2\0ok";
    written.category = "Werkstatt Ö";
    written.salary_min = 0;
    written.salary_max = 1000000000;
    written.expires_at = clock.now() + core::milliseconds(1);
    write<jobs::Job>({written});
    const auto read = writes::write(connection, [&](writes::WriteTransaction& transaction) {
        return resource::Store<jobs::Job>(transaction).find(std::span(&written.id, 1), {});
    });
    BOOST_REQUIRE(read.size() == 1);
    BOOST_TEST(fields::same_fields<jobs::Job>(jobs::Job::described().fields, read[0], written));
    BOOST_TEST(read[0].slug == "fitter");
    BOOST_TEST((read[0].organisation.id == written.organisation.id));
}

BOOST_AUTO_TEST_CASE(filters_compare_folded_keys) {
    auto item = job("fitter");
    item.category = "  Caf\u00e9  WORK ";
    item.city = "\u0141\u00f3d\u017a";
    item.department = "";
    write<jobs::Job>({item});
    BOOST_TEST(value("HEX(category_key) FROM jobs") == hex("cafe work"));
    BOOST_TEST(value("HEX(city_key) FROM jobs") == hex("lodz"));
    BOOST_TEST(value("HEX(department_key) FROM jobs") == "(null)");
}

BOOST_AUTO_TEST_CASE(salary_ranges_have_their_open_ends_filled) {
    auto none = job("none"), low = job("low"), high = job("high"), both = job("both");
    low.salary_min = 20;
    high.salary_max = 30;
    both.salary_min = 20, both.salary_max = 30;
    write<jobs::Job>({none, low, high, both});
    BOOST_TEST(value("CONCAT(salary_low, '-', salary_high) FROM jobs WHERE slug = 'none'") == "(null)");
    BOOST_TEST(value("CONCAT(salary_low, '-', salary_high) FROM jobs WHERE slug = 'low'") == "20-4294967295");
    BOOST_TEST(value("CONCAT(salary_low, '-', salary_high) FROM jobs WHERE slug = 'high'") == "0-30");
    BOOST_TEST(value("CONCAT(salary_low, '-', salary_high) FROM jobs WHERE slug = 'both'") == "20-30");
}

BOOST_AUTO_TEST_CASE(listed_needs_status_and_a_published_organisation) {
    auto draft = job("draft"), hidden = job("hidden", "hidden-vans");
    draft.status = "DRAFT";
    auto unpublished = post("unpublished"), alone = post("alone"), theirs = post("theirs");
    unpublished.published_at.reset();
    theirs.organisation = identity::OrganisationSummary{owner("hidden-vans").id, "", "", {}};
    write<jobs::Job>({job("shown"), draft, hidden});
    write<posts::Post>({unpublished, alone, theirs});
    BOOST_TEST(value("GROUP_CONCAT(slug) FROM jobs WHERE listed = 1") == "shown");
    BOOST_TEST(value("GROUP_CONCAT(slug) FROM posts WHERE listed = 1") == "alone");
}

BOOST_AUTO_TEST_CASE(publishing_an_organisation_lists_what_is_its) {
    auto closed = job("closed", "hidden-vans");
    closed.status = "CLOSED";
    auto article = post("article");
    article.organisation = identity::OrganisationSummary{owner("hidden-vans").id, "", "", {}};
    article.tags = {"vans"};
    events::Event event;
    event.id = core::Uuid::v7(clock.now());
    event.slug = "fair";
    event.organisation.id = owner("hidden-vans").id;
    event.title = "Fair";
    event.starts_at = event.created_at = event.updated_at = clock.now();
    event.published_at = clock.now();
    write<jobs::Job>({job("open", "hidden-vans"), closed});
    write<posts::Post>({article});
    write<events::Event>({event});
    const auto listed = [&] {
        return value(
            "CONCAT((SELECT COUNT(*) FROM jobs WHERE listed = 1), (SELECT COUNT(*) FROM events WHERE listed = 1),"
            "(SELECT COUNT(*) FROM posts WHERE listed = 1), (SELECT COUNT(*) FROM post_tags WHERE listed = 1))");
    };
    const auto set_published = [&](const core::Uuid& organisation, bool published) {
        return writes::write(connection, [&](writes::WriteTransaction& transaction) {
            return accounts::set_published(transaction, organisation, published, clock.now());
        });
    };
    const auto id = owner("hidden-vans").id;
    BOOST_TEST(listed() == "0000");
    const auto before = version("jobs");
    BOOST_TEST(set_published(id, true));
    BOOST_TEST(listed() == "1111");
    BOOST_TEST(version("jobs") == before + 1);
    BOOST_TEST(set_published(id, true));
    BOOST_TEST(version("jobs") == before + 1);
    BOOST_TEST(set_published(id, false));
    BOOST_TEST(listed() == "0000");
    BOOST_TEST(!set_published(core::Uuid{}, true));
}

BOOST_AUTO_TEST_CASE(an_event_is_over_at_its_end_or_its_start) {
    events::Event event;
    event.slug = "a";
    event.id = core::Uuid::v7(clock.now());
    event.organisation.id = owner("north-tractors").id;
    event.title = "Fair";
    event.starts_at = event.created_at = event.updated_at = clock.now();
    write<events::Event>({event});
    BOOST_TEST(value("over_at = starts_at FROM events") == "1");
    event.ends_at = clock.now() + std::chrono::hours(5);
    write<events::Event>({event});
    BOOST_TEST(value("over_at = ends_at FROM events") == "1");
}

BOOST_AUTO_TEST_CASE(words_are_searchable_and_follow_a_change) {
    auto item = job("fitter");
    item.summary = "Hydraulics";
    item.description = "Baler repair";
    const auto hits = [&](const std::string& q) {
        const auto query = search::boolean_query(search::parse(q).required);
        return connection.query("SELECT COUNT(*) FROM job_search WHERE MATCH (tokens) AGAINST (? IN BOOLEAN MODE)", {query})
            .at(0)
            .integer(0);
    };
    write<jobs::Job>({item});
    for (const char* word : {"fitter", "hydraulics", "baler repair"}) BOOST_TEST(hits(word) == 1);
    item.description = "Combine";
    write<jobs::Job>({item});
    BOOST_TEST(hits("combine") == 1);
    BOOST_TEST(hits("baler") == 0);
    BOOST_TEST(count("job_search") == 1);
}

BOOST_AUTO_TEST_CASE(a_taken_slug_never_overwrites_the_row_that_has_it) {
    auto first = job("fitter"), second = job("fitter");
    first.title = "First";
    second.title = "Second";
    write<jobs::Job>({first});
    const auto duplicate = [](const db::Error& error) { return error.is_duplicate_key(); };
    BOOST_CHECK_EXCEPTION(write<jobs::Job>({second}), db::Error, duplicate);
    second.slug = "fitter-2";
    write<jobs::Job>({second});
    second.slug = "fitter";
    BOOST_CHECK_EXCEPTION(write<jobs::Job>({second}), db::Error, duplicate);
    BOOST_TEST(value("GROUP_CONCAT(title ORDER BY title) FROM jobs") == "First,Second");
    auto organisation = owner("north-tractors");
    organisation.id = core::Uuid::v7(clock.now());
    BOOST_CHECK_EXCEPTION(write_organisation(organisation), db::Error, duplicate);
}

BOOST_AUTO_TEST_CASE(tags_are_counted_once_after_folding) {
    auto item = post("p");
    item.tags = {"Tractors", "tractors", "Caf\u00e9", " "};
    write<posts::Post>({item});
    BOOST_TEST(count("post_tags") == 2);
    item.tags = {"boats"};
    write<posts::Post>({item, post("q")});
    BOOST_TEST(value("HEX(tag_key) FROM post_tags") == hex("boats"));
    BOOST_TEST(value("listed FROM post_tags") == "1");
}

BOOST_AUTO_TEST_CASE(more_rows_than_one_statement_takes) {
    std::vector<jobs::Job> many;
    for (int i = 0; i < 450; ++i) many.push_back(job("job-" + std::to_string(i)));
    many[3].description = std::string(2 << 20, 'x');
    write<jobs::Job>(many);
    BOOST_TEST(count("jobs") == 450);
    BOOST_TEST(count("job_search") == 450);
    BOOST_TEST(value("LENGTH(description) FROM jobs WHERE slug = 'job-3'") == std::to_string(2 << 20));
    std::optional<core::Uuid> last;
    std::size_t read = 0;
    for (;;) {
        const auto page = resource::Store<jobs::Job>::after(connection, last, 100);
        if (page.empty()) break;
        read += page.size();
        last = page.back().id;
    }
    BOOST_TEST(read == 450u);
}

BOOST_AUTO_TEST_CASE(slugs_are_numbered_past_those_that_are_taken) {
    BOOST_TEST(writes::unique_slug(connection, "jobs", "fitter") == "fitter");
    std::vector<jobs::Job> jobs{job("fitter")};
    for (int i = 2; i <= 20; ++i) jobs.push_back(job("fitter-" + std::to_string(i)));
    write<jobs::Job>(jobs);
    BOOST_TEST(writes::unique_slug(connection, "jobs", "fitter") == "fitter-21");
    writes::SlugMaker maker(connection, "jobs");
    maker.reserve("fitter-21");
    maker.prepare({"fitter", "free"});
    BOOST_TEST(maker.make("fitter") == "fitter-22");
    BOOST_TEST(maker.make("fitter") == "fitter-23");
    BOOST_TEST(maker.make("free") == "free");
    BOOST_TEST(maker.make("free") == "free-2");
}

// A feed may hold the next number for minutes.
BOOST_AUTO_TEST_CASE(a_slug_that_an_open_transaction_holds_is_not_waited_for_twice) {
    db::Connection other(database.config());
    other.execute("SET innodb_lock_wait_timeout = 1");
    std::string slug;
    writes::write(connection, [&](writes::WriteTransaction& transaction) {
        const std::vector jobs{job("rigger")};
        test::put<jobs::Job>(transaction, jobs);
        slug.clear();
        writes::write(other, [&](writes::WriteTransaction& second) {
            slug = writes::new_slug(second, "jobs", "Rigger", "job", core::Uuid());
            const std::vector more{job(slug, "south-marine")};
            test::put<jobs::Job>(second, more);
        });
    });
    BOOST_TEST(slug.size() == std::string("rigger-").size() + 8);
    BOOST_TEST(slug.starts_with("rigger-"));
}

BOOST_AUTO_TEST_CASE(an_organisation_keeps_its_logo) {
    connection.execute("UPDATE organisations SET logo_url = '/uploads/a.png' WHERE slug = 'north-tractors'");
    auto organisation = owner("north-tractors");
    organisation.name = "Other";
    organisation.logo_url.reset();
    write_organisation(organisation);
    BOOST_TEST(value("CONCAT(name, logo_url) FROM organisations WHERE slug = 'north-tractors'") == "Other/uploads/a.png");
}

BOOST_AUTO_TEST_SUITE_END()
