// Imports of organisations, jobs, events and posts (API rules, "Commands").
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "ctl/context.h"
#include "repo/import_support.h"
#include "support/threads.h"

using namespace tradepost;
using ctl::import_events, ctl::import_jobs, ctl::import_organisations, ctl::import_posts;

BOOST_FIXTURE_TEST_SUITE(import_content, test::ImportFixture)

BOOST_AUTO_TEST_CASE(a_line_makes_a_row_and_its_slug) {
    BOOST_TEST(import(import_jobs, R"({"title":"Tractor Fitter","organisation":"north-tractors"})") == "1/0/0");
    BOOST_TEST(value("CONCAT(slug, ' ', status, ' ', listed) FROM jobs") == "tractor-fitter DRAFT 0");
    BOOST_TEST(value("created_at FROM jobs") == core::to_sql(clock.now()));
    BOOST_TEST(count("job_search") == 1);
    BOOST_TEST(import(import_jobs,
                      "{\"title\":\"Tractor Fitter\",\"organisation\":\"north-tractors\"}\n\n{\"title\":\"Tractor "
                      "Fitter\",\"organisation\":{\"slug\":\"north-tractors\",\"name\":\"x\"}}\r\n") == "2/0/0");
    BOOST_TEST(value("GROUP_CONCAT(slug ORDER BY slug) FROM jobs") == "tractor-fitter,tractor-fitter-2,tractor-fitter-3");
}

BOOST_AUTO_TEST_CASE(ids_slugs_and_times_are_taken_as_given) {
    const std::string id = "0190a000-0000-7000-8000-000000000001";
    const std::string line =
        R"({"id":")" + id +
        R"(","slug":"open-day","organisation":"south-marine","title":"Open day","startsAt":"2026-06-01T09:00:00+02:00",)"
        R"("publishedAt":"2026-01-01T00:00:00Z","createdAt":"2025-01-01T00:00:00Z","updatedAt":"2025-02-01T00:00:00Z"})";
    BOOST_TEST(import(import_events, line) == "1/0/0");
    BOOST_TEST(value("LOWER(HEX(id)) FROM events") == "0190a000000070008000000000000001");
    BOOST_TEST(value("CONCAT_WS('|', starts_at, published_at, created_at, updated_at, listed) FROM events") ==
               "2026-06-01 07:00:00.000|2026-01-01 00:00:00.000|2025-01-01 00:00:00.000|" + core::to_sql(clock.now()) + "|1");
    BOOST_TEST(import(import_events, line) == "0/0/1");
}

BOOST_AUTO_TEST_CASE(a_second_import_updates_and_keeps_what_it_does_not_name) {
    import(
        import_jobs,
        R"({"slug":"a","title":"One","summary":"s","organisation":"north-tractors","status":"PUBLISHED","description":"d","category":"c","contractType":"PERMANENT","city":"York"})");
    const auto made = clock.now();
    const auto before = version("jobs");
    clock.advance(std::chrono::hours(1));
    BOOST_TEST(
        import(
            import_jobs,
            R"({"slug":"a","title":"One","summary":"s","description":"d","category":"c","contractType":"PERMANENT","city":"York"})") ==
        "0/0/1");
    BOOST_TEST(version("jobs") == before);
    BOOST_TEST(value("updated_at FROM jobs") == core::to_sql(made));
    BOOST_TEST(
        import(
            import_jobs,
            R"({"slug":"a","title":"Two","description":"d","category":"c","contractType":"PERMANENT","city":"York","updatedAt":"2020-01-01T00:00:00Z"})") ==
        "0/1/0");
    BOOST_TEST(version("jobs") == before + 1);
    BOOST_TEST(value("CONCAT_WS('|', title, status, summary IS NULL, published_at, created_at, updated_at) FROM jobs") ==
               "Two|PUBLISHED|1|" + core::to_sql(made) + "|" + core::to_sql(made) + "|" + core::to_sql(clock.now()));
    clock.advance(std::chrono::hours(1));
    BOOST_TEST(
        import(
            import_jobs,
            R"({"slug":"a","title":"Two","description":"d","category":"c","contractType":"PERMANENT","city":"York","updatedAt":"2020-01-01T00:00:00Z"})") ==
        "0/0/1");
}

BOOST_AUTO_TEST_CASE(what_is_imported_is_as_new_as_the_import) {
    for (const char* time : {"2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"}) {
        const auto line = [&](const std::string& title, const char* updated) {
            return R"({"slug":"a","title":")" + title + R"(","updatedAt":")" + updated + R"("})";
        };
        connection.execute("DELETE FROM posts");
        BOOST_TEST(import(import_posts, line("A", time)) == "1/0/0");
        BOOST_TEST(value("updated_at FROM posts") == core::to_sql(clock.now()));
        clock.advance(std::chrono::hours(1));
        BOOST_TEST(import(import_posts, line("A", time)) == "0/0/1");
        BOOST_TEST(import(import_posts, line("A", "2099-06-01T00:00:00Z")) == "0/0/1");
        BOOST_TEST(value("updated_at FROM posts") == core::to_sql(clock.now() - std::chrono::hours(1)));
        BOOST_TEST(import(import_posts, line("B", time)) == "0/1/0");
        BOOST_TEST(value("updated_at FROM posts") == core::to_sql(clock.now()));
        BOOST_TEST(import(import_posts, line("C", time)) == "0/1/0");  // in the same millisecond
        BOOST_TEST(value("updated_at FROM posts") == core::to_sql(clock.now() + core::milliseconds(1)));
    }
}

BOOST_AUTO_TEST_CASE(an_event_that_ends_before_it_starts_is_refused) {
    const auto line = [](const std::string& times) {
        return R"({"slug":"a","title":"Fair","organisation":"north-tractors",)" + times + "}\n";
    };
    const std::string start = R"("startsAt":"2026-06-01T09:00:00Z")";
    BOOST_TEST(import(import_events, line(start) + R"({"title":"Fair","organisation":"north-tractors",)" + start +
                                         R"(,"endsAt":"2026-06-01T08:59:59.999Z"})") ==
               "2: Invalid field: endsAt: must not be before startsAt");
    BOOST_TEST(count("events") == 0);
    BOOST_TEST(import(import_events, line(start + R"(,"endsAt":"2026-06-01T09:00:00Z")")) == "1/0/0");
    BOOST_TEST(import(import_events, line(R"("startsAt":"2026-06-01T09:00:00.001Z","endsAt":"2026-06-01T09:00:00Z")")) ==
               "1: Invalid field: endsAt: must not be before startsAt");
}

BOOST_AUTO_TEST_CASE(a_bad_line_is_named_and_nothing_is_written) {
    const std::string good = R"({"title":"Good","organisation":"north-tractors"})"
                             "\n";
    const auto refused = [&](const std::string& line, const std::string& why) {
        BOOST_TEST(import(import_jobs, good + "\n" + line + "\n" + good) == "3: " + why);
    };
    const std::string o = R"("organisation":"north-tractors")";
    refused("{", "Invalid JSON body: each line must be one JSON object (jq -c writes such lines)");
    refused("[1]", "Invalid field: body: must be an object");
    refused("{" + o + "}", "Invalid field: title: is required");
    refused(R"({"title":"",)" + o + "}", "Invalid field: title: must be 1 to 150 characters long");
    refused(R"({"title":"a","colour":1,)" + o + "}", "Unknown field: colour");
    refused(R"({"title":"a","id":7,)" + o + "}", "Invalid field: id: must be a UUID");
    refused(R"({"title":"a","slug":"A b",)" + o + "}",
            "Invalid field: slug: must be at most 120 lower-case letters, digits and inner hyphens, and no UUID and no part of a "
            "path, such as facets");
    refused(R"({"title":"a"})", "Invalid field: organisation: is required");
    refused(R"({"title":"a","organisation":null})", "Invalid field: organisation: must not be null");
    refused(R"({"title":"a","organisation":"nobody"})", "Invalid field: organisation: there is no organisation nobody");
    refused(R"({"title":"a","organisation":5})",
            "Invalid field: organisation: must be an organisation's slug, or an object with its slug");
    refused(R"({"title":"a","salaryMin":3,"salaryMax":2,)" + o + "}", "Invalid field: salaryMax: must not be below salaryMin");
    refused(R"({"title":"a","status":"PUBLISHED",)" + o + "}", "Invalid field: description: is required to publish");
    refused(std::string(5 << 20, ' '), "the line is longer than 4 MiB");
    BOOST_TEST(count("jobs") == 0);
    BOOST_TEST(version("jobs") == 3u);  // the fixture's organisations
}

BOOST_AUTO_TEST_CASE(a_row_must_stay_whole_with_the_state_it_has) {
    import(
        import_jobs,
        R"({"slug":"a","title":"One","organisation":"north-tractors","status":"PUBLISHED","description":"d","category":"c","contractType":"PERMANENT","city":"York"})");
    BOOST_TEST(import(import_jobs, R"({"slug":"a","title":"One"})") == "1: Invalid field: description: is required to publish");
}

BOOST_AUTO_TEST_CASE(a_key_twice_in_one_file) {
    const std::string id = R"({"id":"0190a000-0000-7000-8000-000000000001","title":"a"})"
                           "\n";
    BOOST_TEST(import(import_posts, id +
                                        R"({"slug":"x","title":"b"})"
                                        "\n" +
                                        id) == "3: the id 0190a000-0000-7000-8000-000000000001 is that of line 1 too");
    BOOST_TEST(import(import_posts, R"({"slug":"x","title":"b"})"
                                    "\n"
                                    R"({"slug":"x","title":"c"})") == "2: the slug x is that of line 1 too");
    BOOST_TEST(import(import_posts, R"({"id":"0190a000-0000-7000-8000-000000000001","slug":"x","title":"a"})") == "1/0/0");
    BOOST_TEST(import(import_posts, id + R"({"slug":"x","title":"b"})") == "2: this is the same row as that of line 1");
    BOOST_TEST(value("title FROM posts") == "a");
}

BOOST_AUTO_TEST_CASE(slugs_and_ids_of_other_rows) {
    const std::string first = "0190a000-0000-7000-8000-000000000001", second = "0190a000-0000-7000-8000-000000000002";
    import(import_jobs, R"({"id":")" + first +
                            R"(","slug":"a","title":"A","organisation":"north-tractors"})"
                            "\n"
                            R"({"id":")" +
                            second + R"(","slug":"b","title":"B","organisation":"north-tractors"})");
    BOOST_TEST(import(import_jobs, R"({"slug":"a","title":"A","organisation":"south-marine"})") ==
               "1: the slug a belongs to another organisation's row");
    BOOST_TEST(import(import_jobs, R"({"id":")" + first + R"(","title":"A","organisation":"south-marine"})") ==
               "1: the id " + first + " belongs to another organisation's row");
    BOOST_TEST(import(import_jobs, R"({"id":")" + first + R"(","slug":"b","title":"A"})") ==
               "1: id and slug name two different rows: leave one of them out");
    BOOST_TEST(import(import_jobs, R"({"id":"0190a000-0000-7000-8000-000000000003","slug":"b","title":"A"})") ==
               "1: the slug b belongs to the row " + second + ": leave out the id to update that");
    BOOST_TEST(import(import_jobs, R"({"id":")" + first + R"(","slug":"c","title":"A"})") == "0/1/0");
    BOOST_TEST(value("GROUP_CONCAT(slug ORDER BY slug) FROM jobs") == "b,c");
}

BOOST_AUTO_TEST_CASE(jobs_are_found_by_organisation_and_reference) {
    const std::string id = "0190a000-0000-7000-8000-000000000001", o = R"("organisation":"north-tractors")";
    BOOST_TEST(import(import_jobs, R"({"id":")" + id + R"(","reference":"R 1","title":"A",)" + o + R"(,"status":"CLOSED"})") ==
               "1/0/0");
    BOOST_TEST(import(import_jobs, R"({"reference":"R 1","title":"A",)" + o + "}") == "0/0/1");
    BOOST_TEST(import(import_jobs, R"({"reference":"R 1","title":"B",)" + o + "}") == "0/1/0");
    BOOST_TEST(value("CONCAT(slug, ' ', title, ' ', status) FROM jobs") == "a B CLOSED");
    // Exactly, and each organisation has its own.
    BOOST_TEST(import(import_jobs, R"({"reference":"r 1","title":"C",)" + o + "}\n" +
                                       R"({"reference":"R 1","title":"D","organisation":"south-marine"})") == "2/0/0");
    BOOST_TEST(count("jobs") == 3);
    BOOST_TEST(import(import_jobs, R"({"slug":"c","reference":"R 1","title":"A",)" + o + "}") ==
               "1: slug and reference name two different rows: leave one of them out");
    BOOST_TEST(import(import_jobs, R"({"id":"0190a000-0000-7000-8000-000000000002","reference":"R 1","title":"A",)" + o + "}") ==
               "1: the reference R 1 belongs to the row " + id + ": leave out the id to update that");
    BOOST_TEST(import(import_jobs, R"({"reference":"X","title":"A",)" + o + "}\n" + R"({"reference":"X","title":"B",)" + o +
                                       "}") == "2: the reference of north-tractors X is that of line 1 too");
    BOOST_TEST(import(import_jobs, R"({"reference":"","title":"A",)" + o + "}") ==
               "1: Invalid field: reference: must be 1 to 64 characters long");
    BOOST_TEST(import(import_jobs, R"({"id":")" + id + R"(","reference":"r 1","title":"A"})") ==
               "1: the reference r 1 belongs to the row " +
                   value("LOWER(CONCAT_WS('-', LEFT(HEX(id), 8), SUBSTR(HEX(id), 9, 4), SUBSTR(HEX(id), 13, 4), SUBSTR(HEX(id), "
                         "17, 4), RIGHT(HEX(id), 12))) FROM jobs WHERE slug = 'c' AND reference = 'r 1'") +
                   ": choose another one");
    BOOST_TEST(value("GROUP_CONCAT(reference ORDER BY slug) FROM jobs") == "R 1,r 1,R 1");
}

BOOST_AUTO_TEST_CASE(a_made_slug_leaves_those_of_later_lines_alone) {
    BOOST_TEST(import(import_posts, R"({"title":"News"})"
                                    "\n"
                                    R"({"slug":"news","title":"Other"})") == "2/0/0");
    BOOST_TEST(value("GROUP_CONCAT(slug, '=', title ORDER BY slug) FROM posts") == "news=Other,news-2=News");
}

BOOST_AUTO_TEST_CASE(posts_may_stand_alone) {
    BOOST_TEST(
        import(import_posts,
               R"({"slug":"a","title":"A","organisation":null,"publishedAt":"2026-01-01T00:00:00Z","tags":["x"]})"
               "\n"
               R"({"slug":"b","title":"B","organisation":"hidden-vans","publishedAt":"2026-01-01T00:00:00Z","tags":["x"]})") ==
        "2/0/0");
    BOOST_TEST(value("GROUP_CONCAT(slug) FROM posts WHERE listed = 1") == "a");
    BOOST_TEST(import(import_posts, R"({"slug":"b","title":"B","organisation":null})") ==
               "1: the slug b belongs to another organisation's row");
    BOOST_TEST(import(import_posts, R"({"slug":"b","title":"B","tags":["x"],"publishedAt":null})") == "0/1/0");
    BOOST_TEST(value("published_at FROM posts WHERE slug = 'b'") == "(null)");
}

BOOST_AUTO_TEST_CASE(importing_an_organisation_lists_what_is_its) {
    import(import_posts, R"({"slug":"b","title":"B","organisation":"hidden-vans","publishedAt":"2026-01-01T00:00:00Z"})");
    BOOST_TEST(
        import(import_organisations,
               R"({"slug":"hidden-vans","name":"Vans","published":true,"role":"ADMIN","logoUrl":null,"logoUploadId":null})") ==
        "0/1/0");
    BOOST_TEST(value("listed FROM posts") == "1");
    BOOST_TEST(import(import_organisations,
                      R"({"name":"Vans"})"
                      "\n"
                      R"({"name":"Vans","website":"ftp://x"})") == "2: Invalid field: website: must be an http or https URL");
    BOOST_TEST(import(import_organisations, R"({"name":"Vans"})") == "1/0/0");
    BOOST_TEST(count("organisations WHERE slug = 'vans' AND published = 0") == 1);
}

BOOST_AUTO_TEST_CASE(what_is_exported_imports_as_nothing_new) {
    import(import_jobs, R"({"title":"Ł “quoted” \\ \n","organisation":"north-tractors","salaryMin":1,"status":"CLOSED"})");
    import(import_events, R"({"title":"E","startsAt":"2026-06-01T09:00:00Z","organisation":"south-marine"})");
    import(import_posts, R"({"title":"P","tags":["a","b"],"body":"x"})");
    const std::vector<std::pair<std::string, Importer>> kinds{
        {"organisations", import_organisations}, {"jobs", import_jobs}, {"events", import_events}, {"posts", import_posts}};
    std::map<std::string, std::string> texts;
    for (const auto& [kind, importer] : kinds) {
        texts[kind] = exported(kind);
        BOOST_TEST(import(importer, texts[kind]) == (kind == "organisations" ? "0/0/3" : "0/0/1"), kind);
    }
    database.clear();
    for (const auto& [kind, importer] : kinds) {
        BOOST_TEST(import(importer, texts[kind]) == (kind == "organisations" ? "3/0/0" : "1/0/0"), kind);
        BOOST_TEST(exported(kind) == texts[kind]);
    }
}

BOOST_AUTO_TEST_CASE(many_lines_and_a_bad_last_one) {
    std::string text;
    for (int i = 0; i < 1000; ++i)
        text += R"({"slug":"p-)" + std::to_string(i) +
                R"(","title":"Post"})"
                "\n";
    BOOST_TEST(import(import_posts, text + R"({"title":"x","organisation":"nobody"})") ==
               "1001: Invalid field: organisation: there is no organisation nobody");
    BOOST_TEST(count("posts") == 0);
    BOOST_TEST(import(import_posts, text) == "1000/0/0");
    BOOST_TEST(import(import_posts, text) == "0/0/1000");
    BOOST_TEST(count("post_search") == 1000);
}

BOOST_AUTO_TEST_CASE(two_imports_of_one_file_at_once_make_each_row_once) {
    std::string text;
    for (int i = 0; i < 400; ++i)
        text += R"({"slug":"p-)" + std::to_string(i) +
                R"(","title":"Post"})"
                "\n";
    std::ofstream(path) << text;
    const auto load = [&](std::string& result) {
        try {
            db::Connection own(database.config(), std::chrono::seconds(60));
            ctl::Lines lines(path);
            const auto imported = import_posts(own, lines, clock);
            result = std::to_string(imported.added + imported.unchanged);
        } catch (const std::exception& error) {
            result = error.what();
        }
    };
    std::string one, two;
    test::Thread other([&] { load(two); });
    load(one);
    other.join();
    BOOST_TEST(one == "400");
    BOOST_TEST(two == "400");
    BOOST_TEST(count("posts") == 400);
}

BOOST_AUTO_TEST_CASE(a_lost_connection_leaves_nothing) {
    std::string text;
    for (int i = 0; i < 300; ++i)
        text += R"({"title":"Post"})"
                "\n";
    import(import_posts, R"({"title":"first"})");
    const auto locker = std::make_unique<db::Connection>(database.config());
    locker->execute("START TRANSACTION");
    locker->query("SELECT id FROM posts FOR UPDATE");
    const auto locking = locker->query("SELECT CONNECTION_ID()").at(0).unsigned_integer(0);
    std::atomic<bool> over = false;
    const auto kill_waiting = [&] {
        db::Connection own(database.config());
        while (!over) {
            // Not innodb_trx: it shows nothing new to those who look all the time.
            const auto waiting = own.query(
                "SELECT id FROM information_schema.processlist WHERE db = ? AND info LIKE '%FOR UPDATE' AND id NOT IN "
                "(?, CONNECTION_ID())",
                {database.config().name, locking});
            if (waiting.empty()) continue;
            database.kill(waiting[0].unsigned_integer(0));
            return;
        }
    };
    test::Thread killer(kill_waiting, [&] { over = true; });
    BOOST_CHECK_THROW(import(import_posts, text + R"({"slug":"first","title":"changed"})"), db::Error);
    over = true;
    killer.join();
    locker->close();
    BOOST_TEST(count("posts") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
