// Writers of stock at the same moment, through whole applications with connections of their own.
#define BOOST_TEST_DYN_LINK
#include <atomic>
#include <barrier>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "repo/application.h"
#include "support/case_match.h"
#include "support/threads.h"

using namespace tradepost;
using nlohmann::json;

namespace {

// Runs as any clock does, from a day on which the fixture's tokens are good.
struct RunningClock : core::Clock {
    core::Time now() const override {
        return day + std::chrono::floor<core::milliseconds>(std::chrono::steady_clock::now() - begun);
    }
    const core::Time day = *core::parse_rfc3339("2026-03-01T12:00:00Z");
    const std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
};

const std::string stock = "/api/v1/stock", item = stock + "/0195f0a0-0000-7000-8000-000000009001";

struct Fixture : test::ApplicationFixture {
    RunningClock clock;

    struct Answer {
        int status;
        json body;
    };
    using Send = std::function<Answer(const std::string& method, const std::string& target, const json& body)>;

    // Runs `work` in so many threads, which begin together, each with an application of its own; its answers, by thread.
    template <class Work>
    std::vector<Answer> at_once(int threads, Work work) {
        std::vector<Answer> answers(std::size_t(threads), Answer{});
        std::vector<test::Thread> running;
        std::barrier start(threads);
        for (int i = 0; i < threads; ++i)
            running.emplace_back([&, i] {
                test::Participant all(start);
                App app(config, clock, limiter);
                const Send send = [&](const std::string& method, const std::string& target, const json& body) {
                    http::Request request;
                    request.method = method;
                    request.target = target;
                    request.headers = {{"authorization", "Bearer " + test::fixture_token("ashford-admin")},
                                       {"content-type", "application/json"}};
                    if (!body.is_null()) request.body = body.dump();
                    const auto response = app.handle(request);
                    return Answer{response.status, json::parse(response.body)};
                };
                send("GET", item, {});  // connects
                all.arrive_and_wait();
                answers[std::size_t(i)] = work(i, send);
            });
        for (auto& thread : running) thread.join();
        return answers;
    }

    static std::map<int, int> statuses(const std::vector<Answer>& answers) {
        std::map<int, int> counts;
        for (const auto& answer : answers) ++counts[answer.status];
        return counts;
    }
    std::string value(const std::string& select) {
        db::Connection connection(config.database);
        return connection.query("SELECT " + select).at(0).opt_text(0).value_or("NULL");
    }
    std::string upload(int n) {
        const std::string id = "0195f0a0-0000-7000-8000-0000000070" + std::to_string(10 + n);
        db::Connection connection(config.database);
        connection.execute(
            "INSERT INTO uploads (id, organisation_id, status, filename, content_type, content_hash, created_at, detached_at) "
            "SELECT ?, id, 'READY', 'a', 'image/png', REPEAT('a', 32), NOW(3), NOW(3) FROM organisations WHERE slug = "
            "'ashford-motors'",
            {core::Uuid::parse(id).value()});
        return id;
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(stock_races, Fixture)

BOOST_AUTO_TEST_CASE(one_reference_posted_at_once_is_one_item) {
    for (int round = 0; round < 5; ++round) {
        const auto reference = "P-" + std::to_string(round);
        const auto answers = at_once(8, [&](int, const Send& send) {
            return send("POST", stock, {{"reference", reference}, {"title", "Van"}});
        });
        BOOST_TEST((statuses(answers) == std::map<int, int>{{201, 1}, {409, 7}}));
        for (const auto& answer : answers)
            if (answer.status == 409) BOOST_TEST(answer.body["error"] == "Conflict: reference is used by another item");
        BOOST_TEST(value("COUNT(*) FROM stock_items WHERE reference = '" + reference + "'") == "1");
    }
}

BOOST_AUTO_TEST_CASE(one_reference_put_at_once_is_one_item) {
    for (int round = 0; round < 5; ++round) {
        const auto reference = "P-" + std::to_string(round);
        const auto answers = at_once(8, [&](int i, const Send& send) {
            return send("PUT", stock + "/by-reference/" + reference, {{"title", "Van " + std::to_string(i)}});
        });
        BOOST_TEST((statuses(answers) == std::map<int, int>{{200, 7}, {201, 1}}));
        std::set<std::string> ids, times;
        for (const auto& answer : answers) {
            ids.insert(answer.body["data"]["id"]);
            times.insert(answer.body["data"]["updatedAt"]);
        }
        BOOST_TEST(ids.size() == 1u);
        BOOST_TEST(times.size() == 8u);  // each came after another
        BOOST_TEST(value("COUNT(*) FROM stock_items WHERE reference = '" + reference + "'") == "1");
    }
}

BOOST_AUTO_TEST_CASE(one_reference_of_jobs_is_one_job) {
    const std::string jobs = "/api/v1/jobs";
    const auto posted = at_once(8, [&](int, const Send& send) {
        return send("POST", jobs, {{"reference", "P-1"}, {"title", "Van driver"}});
    });
    BOOST_TEST((statuses(posted) == std::map<int, int>{{201, 1}, {409, 7}}));
    for (const auto& answer : posted)
        if (answer.status == 409) BOOST_TEST(answer.body["error"] == "Conflict: reference is used by another job");
    const auto put = at_once(8, [&](int i, const Send& send) {
        return send("PUT", jobs + "/by-reference/P-2", {{"title", "Driver " + std::to_string(i)}});
    });
    BOOST_TEST((statuses(put) == std::map<int, int>{{200, 7}, {201, 1}}));
    BOOST_TEST(value("COUNT(*) FROM jobs WHERE reference IN ('P-1', 'P-2')") == "2");
}

BOOST_AUTO_TEST_CASE(changes_of_different_fields_all_survive) {
    const std::vector<std::string> fields{"title", "category", "make", "model", "variant"};
    constexpr int rounds = 20;
    const auto answers = at_once(int(fields.size()) * 2, [&](int i, const Send& send) {
        Answer last;
        for (int n = 1; n <= rounds; ++n) {
            const auto text = std::to_string(n);
            // Half of them write fields, the others a name each of `attributes`.
            const auto& field = fields[std::size_t(i / 2)];
            last = send("PATCH", item, i % 2 ? json{{"attributes", {{field, text}}}} : json{{field, text}});
            if (last.status != 200) break;
        }
        return last;
    });
    BOOST_TEST((statuses(answers) == std::map<int, int>{{200, 10}}));
    const auto now = at_once(1, [&](int, const Send& send) { return send("GET", item, {}); }).at(0);
    for (const auto& field : fields) {
        BOOST_TEST(now.body["data"][field] == std::to_string(rounds), field);
        BOOST_TEST(now.body["data"]["attributes"][field] == std::to_string(rounds), field);
    }
}

BOOST_AUTO_TEST_CASE(two_items_that_want_one_reference) {
    const auto answers = at_once(2, [&](int i, const Send& send) {
        Answer last;
        for (int n = 0; n < 20; ++n) {
            last = send("PATCH", stock + "/0195f0a0-0000-7000-8000-00000000900" + (i ? "2" : "4"),
                        {{"reference", n % 2 ? "mine-" + std::to_string(i) : "both"}});
            if (last.status != 200 && (n % 2 || last.status != 409)) break;
        }
        return last;
    });
    BOOST_TEST((statuses(answers) == std::map<int, int>{{200, 2}}));
    BOOST_TEST(value("GROUP_CONCAT(reference ORDER BY reference) FROM stock_items WHERE reference LIKE 'mine%'") ==
               "mine-0,mine-1");
}

BOOST_AUTO_TEST_CASE(what_refers_to_an_upload_is_counted_right) {
    std::vector<std::string> uploads;
    for (int n = 0; n < 4; ++n) uploads.push_back(upload(n));
    const auto answers = at_once(6, [&](int i, const Send& send) {
        Answer last;
        for (int n = 0; n < 30; ++n) {
            // In different orders: whoever locked them as they come would be another's deadlock again and again.
            json images = json::array();
            for (int k = 0; k < (i + n) % 4; ++k)
                images.push_back({{"uploadId", uploads[std::size_t(i % 2 ? (n + k) % 4 : (n + 7 - k) % 4)]}});
            const auto reference = "I-" + std::to_string(i % 3);
            last = send("PUT", stock + "/by-reference/" + reference, {{"title", "Van"}, {"images", images}});
            if (last.status > 201) return last;
            if (n % 7 == 6) {
                const auto gone = send("DELETE", stock + "/" + last.body["data"]["id"].get<std::string>(), {});
                if (gone.status != 200 && gone.status != 404) return gone;
            }
        }
        return last;
    });
    for (const auto& answer : answers) BOOST_TEST(answer.status <= 201);
    BOOST_TEST(
        value("COUNT(*) FROM uploads u WHERE attachments <> (SELECT COUNT(*) FROM stock_images i WHERE i.upload_id = u.id)") ==
        "0");
    BOOST_TEST(value("COUNT(*) FROM uploads WHERE (attachments = 0) <> (detached_at IS NOT NULL)") == "0");
}

BOOST_AUTO_TEST_SUITE_END()
