// What one address can cost the database by searches in 100,000 jobs, and that others are served meanwhile.
#define BOOST_TEST_DYN_LINK
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "counts/table.h"
#include "repo/application.h"
#include "resource/store.h"
#include "resources/jobs/job.h"
#include "resources/jobs/lists.h"
#include "search/grammar/tokens.h"
#include "support/threads.h"

using namespace tradepost;
using namespace std::chrono_literals;

namespace {

constexpr int job_count = 100'000, text_count = 2000, copies = job_count / text_count;

// A worker.
class Worker {
public:
    // A search may take long in a test: the machine does other work as well.
    explicit Worker(const core::Config::Database& database, std::chrono::milliseconds search_timeout = 10s)
        : config_(with(database, search_timeout)) {}

    http::Response get(const std::string& target) {
        http::Request request;
        request.method = "GET";
        request.target = "/api/v1" + target;
        request.client_address = "198.51.100.1";
        return app_.handle(request);
    }
    std::int64_t total(const std::string& target) {
        const auto response = get(target);
        BOOST_REQUIRE_MESSAGE(response.status == 200, target << ": " << response.body);
        return nlohmann::json::parse(response.body)["data"]["total"];
    }

private:
    static core::Config with(const core::Config::Database& database, std::chrono::milliseconds search_timeout) {
        core::Config config;
        config.database = database;
        config.search.timeout = search_timeout;
        return config;
    }
    core::Config config_;
    core::SystemClock clock_;
    test::Unlimited limiter_;
    App app_{config_, clock_, limiter_};
};

// Jobs of 100 words: eight are in most of them, "driver" is in 10 % and in their titles, "zebra" in 1 of 2,000.
struct Fixture {
    test::Quiet quiet;
    test::TestDatabase database;
    db::Connection connection{database.config(), 600s};
    std::vector<std::vector<std::string>> bodies;

    Fixture() {
        database.migrate();
        connection.execute(
            "CREATE TABLE attack_texts (n INT PRIMARY KEY, tokens MEDIUMTEXT CHARACTER SET ascii COLLATE ascii_bin)");
        db::in_transaction(connection, [&] { write_texts(); });
        connection.execute("SET unique_checks = 0, foreign_key_checks = 0");
        connection.execute(
            "INSERT INTO organisations (id, slug, name, published, created_at, updated_at) VALUES "
            "(UNHEX(LEFT(SHA2('one', 256), 32)), 'one', 'One', 1, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))");
        const std::string numbers =
            "SELECT a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d AS n FROM digits a, digits b, digits c, digits e, "
            "digits f";
        connection.execute("CREATE TABLE digits (d INT PRIMARY KEY)");
        connection.execute("INSERT INTO digits VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)");
        connection.execute(
            "INSERT INTO jobs (id, organisation_id, slug, title, category, category_key, contract_type, city, city_key, status, "
            "listed, "
            "published_at, created_at, updated_at) SELECT UNHEX(CONCAT(LPAD(HEX(FLOOR(UNIX_TIMESTAMP(at) * 1000)), 12, '0'), "
            "'7', "
            "SUBSTR(SHA2(n, 256), 1, 3), '8', SUBSTR(SHA2(n, 256), 4, 15))), UNHEX(LEFT(SHA2('one', 256), 32)), CONCAT('job-', "
            "n), 'Job', 'Sales', "
            "UNHEX(LEFT(SHA2('s', 256), 32)), "
            "'PERMANENT', 'Leeds', UNHEX(LEFT(SHA2('l', 256), 32)), 'PUBLISHED', 1, at, at, at FROM (SELECT n, UTC_TIMESTAMP(3) "
            "- INTERVAL n + 1 "
            "MINUTE "
            "AS at FROM (" +
            numbers + ") k) j");
        connection.execute("ALTER TABLE job_search DROP INDEX job_search_tokens");
        connection.execute(
            "INSERT INTO job_search SELECT j.id, x.tokens FROM jobs j JOIN attack_texts x ON x.n = SUBSTR(j.slug, 5) % " +
            std::to_string(text_count));
        connection.execute("ALTER TABLE job_search ADD FULLTEXT KEY job_search_tokens (tokens)");
        connection.query("ANALYZE TABLE jobs, job_search");
        counts::recount(connection, resource::Store<jobs::Job>::counted());
    }

    void write_texts() {
        std::mt19937 random(7);
        for (int n = 0; n < text_count; ++n) {
            std::vector<std::string> words;
            for (const char* common : {"the", "of", "and", "to", "a", "in", "for", "with"})
                for (int i = 0; i < 4; ++i)
                    if (random() % 3 > 0) words.emplace_back(common);
            while (words.size() < 96)
                words.push_back(std::string(1, char('a' + random() % 26)) + std::to_string(random() % 2000));
            std::shuffle(words.begin(), words.end(), random);
            if (n == 1234) words.emplace_back("zebra");
            std::string title = n % 10 == 0 ? "driver" : "other", body;
            for (const auto& word : words) body += word + " ";
            connection.execute("INSERT INTO attack_texts VALUES (?, ?)",
                               {n, search::index_tokens(std::array<std::string_view, 2>{title, body})});
            words.insert(words.begin(), title + ".");
            bodies.push_back(std::move(words));
        }
    }

    // How many jobs hold these words in a row.
    std::int64_t holding(const std::vector<std::string>& phrase) const {
        return copies * std::count_if(bodies.begin(), bodies.end(), [&](const auto& words) {
                   return std::search(words.begin(), words.end(), phrase.begin(), phrase.end()) != words.end();
               });
    }

    // Processor time that the server has used so far. Nobody else uses it.
    std::chrono::milliseconds used() {
        const auto pid_file = connection.query("SELECT @@pid_file").at(0).text(0);
        std::string pid, field;
        std::ifstream(pid_file) >> pid;
        std::ifstream stat("/proc/" + pid + "/stat");
        std::getline(stat, field, ')');
        std::int64_t ticks = 0;
        for (int i = 3; stat >> field && i <= 15; ++i)
            if (i >= 14) ticks += std::stoll(field);
        BOOST_REQUIRE(ticks > 0);
        return std::chrono::milliseconds(ticks * 1000 / sysconf(_SC_CLK_TCK));
    }

    bool searching() {
        return !connection
                    .query(
                        "SELECT 1 FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID() AND "
                        "info LIKE '%job_search%'")
                    .empty();
    }

    std::uint64_t rows_read() {
        std::uint64_t rows = 0;
        for (const auto& row : connection.query("SHOW GLOBAL STATUS LIKE 'Handler_read%'")) rows += std::stoull(row.text(1));
        return rows;
    }
};

std::string phrases(int count) {
    const std::array<std::string, 8> words{"the", "of", "and", "to", "a", "in", "for", "with"};
    std::string q;
    for (int i = 0; i < count; ++i)
        q += "%22" + words[std::size_t(i % 8)] + "+" + words[std::size_t((i + 1 + i / 8) % 8)] + "%22";
    return q;
}

std::string prefixes(int count) {
    std::string q;
    for (int i = 0; i < count; ++i) q += std::string(1, char('a' + i)) + "*+";
    return q;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(search_attack)

BOOST_AUTO_TEST_CASE(one_address_costs_a_fifth_of_a_processor_at_most,
                     *boost::unit_test::timeout(600) * boost::unit_test::label("timing")) {
    Fixture fixture;
    Worker attacker(fixture.database.config()), other(fixture.database.config());

    // A minute of one address. What is as expensive as may be is among them.
    std::vector<std::string> targets;
    for (const auto& q : {phrases(20), phrases(5), prefixes(16), prefixes(26), std::string("%22of+the%22"),
                          std::string("s*+t*+a*"), std::string("the"), std::string("the+of+and+to+a+in+for+with"),
                          std::string("driver"), std::string("driver+the+of+and+to+a+in+for+with"), std::string("the+-zebra")})
        for (const char* more : {"", "&page=100000", "&sort=newest", "&city=Leeds&limit=100", "/facets"})
            targets.push_back(more[0] == '/' ? "/jobs/facets?fields=category,city&q=" + q : "/jobs?q=" + q + more);
    BOOST_TEST(targets.size() <= 60u);
    const auto before = fixture.used();
    std::atomic<bool> ended{false};
    int served = 0, failed = 0;
    test::Thread others(
        [&] {
            while (!ended) {
                const auto page = served++ % 50 + 1;
                failed += other.get("/jobs?page=" + std::to_string(page)).status != 200;
            }
        },
        [&] { ended = true; });
    std::map<int, int> answers;
    for (const auto& target : targets) ++answers[attacker.get(target).status];
    ended = true;
    others.join();
    while (fixture.searching()) std::this_thread::sleep_for(100ms);
    const auto used = fixture.used() - before;
    BOOST_TEST_MESSAGE(targets.size() << " searches: " << used.count() << " ms, " << answers[200] << " answered");
    BOOST_TEST(used.count() < 12'000);
    BOOST_TEST(answers[200] + answers[400] + answers[503] == int(targets.size()));
    BOOST_TEST(answers[400] == 10);
    BOOST_TEST(answers[200] >= 10);
    BOOST_TEST(served > 0);
    BOOST_TEST(failed == 0);

    // What is refused costs nothing.
    for (const char* q : {"the", "%22of+the%22", "s*+t*+a*"}) {
        const auto read = fixture.rows_read();
        const auto response = attacker.get(std::string("/jobs?q=") + q);
        BOOST_TEST(response.status == 503);
        BOOST_TEST(response.body == "{\"error\":\"Search unavailable\"}");
        BOOST_TEST(fixture.rows_read() - read < 500u);
    }

    // What is answered is exact, however common the other words are.
    BOOST_TEST(attacker.total("/jobs?q=zebra") == copies);
    BOOST_TEST(attacker.total("/jobs?q=zebra+the+of+and") == copies);
    BOOST_TEST(attacker.total("/jobs?q=zebra+t*+a*+s*") == copies);
    BOOST_TEST(attacker.total("/jobs?q=zebra+-the") == 0);
    BOOST_TEST(attacker.total("/jobs?q=zebra&page=7") == copies);
    BOOST_TEST(attacker.total("/jobs?q=driver") == job_count / 10);
    BOOST_TEST(attacker.total("/jobs?q=driver+%22of+the%22") ==
               copies * std::count_if(fixture.bodies.begin(), fixture.bodies.end(), [](const auto& words) {
                   const std::array<std::string, 2> phrase{"of", "the"};
                   return words[0] == "driver." &&
                          std::search(words.begin(), words.end(), phrase.begin(), phrase.end()) != words.end();
               }));
    BOOST_TEST(attacker.total("/jobs?q=%22" + fixture.bodies[5][40] + "+" + fixture.bodies[5][41] + "%22") ==
               fixture.holding({fixture.bodies[5][40], fixture.bodies[5][41]}));

    // While a search runs that was given up, expensive ones are refused.
    Worker impatient(fixture.database.config(), 1s);
    BOOST_TEST(impatient.total("/jobs?q=zebra&limit=2") == copies);  // it has drawn its sample
    db::Connection given_up(fixture.database.config(), 60s);
    const auto session = test::session_of(given_up);
    test::Thread runaway([&] {
        try {
            given_up.query("SELECT /* search */ SLEEP(50)");
        } catch (const db::Error&) {
        }
    });
    while (!runaway.ended() &&
           fixture.connection.query("SELECT 1 FROM information_schema.processlist WHERE id = ? AND time >= 1", {session}).empty())
        std::this_thread::sleep_for(50ms);
    BOOST_TEST(impatient.get("/jobs?q=driver&limit=3").status == 503);
    BOOST_TEST(impatient.total("/jobs?q=zebra&limit=3") == copies);
    fixture.database.kill(session);
    runaway.join();
    BOOST_TEST(attacker.total("/jobs?q=driver&limit=3") == job_count / 10);
}

BOOST_AUTO_TEST_SUITE_END()
