// Dealers' software at the same time as itself: nothing is lost and nothing is there twice (API rules, "Writes").
#include <csignal>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "core/crypto.h"
#include "e2e/checks.h"
#include "support/dealer.h"

using namespace tradepost;
using namespace tradepost::test;
using nlohmann::json;

namespace {

// Calls of one dealer's software from so many connections at once.
std::vector<Answer> at_once(const Dealer& dealer, std::size_t count,
                            const std::function<Answer(DealerClient&, std::size_t)>& call) {
    return in_parallel<Answer>(count, [&](std::size_t i) {
        DealerClient client(own_stack(), dealer);
        return call(client, i);
    });
}

std::map<int, int> statuses(const std::vector<Answer>& answers) {
    std::map<int, int> counts;
    for (const auto& answer : answers) ++counts[answer.status];
    return counts;
}

int total(DealerClient& client, const std::string& target) {
    const auto answer = until_served([&] { return client.get(target); });
    BOOST_REQUIRE_EQUAL(answer.status, 200);
    return answer.json()["data"]["total"];
}

const json van{{"title", "Van"}, {"price", 100}, {"currency", "EUR"}};

json with(json object, const json& more) {
    object.update(more);
    return object;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dealer_races)

BOOST_AUTO_TEST_CASE(one_reference_twice_at_once_is_one_item_and_conflicts) {
    const auto dealer = add_dealer(own_stack());
    const auto answers = at_once(dealer, 20, [](DealerClient& client, std::size_t) {
        return client.send("POST", "/api/v1/stock", with(van, {{"reference", "R1"}}));
    });
    BOOST_TEST((statuses(answers) == std::map<int, int>{{201, 1}, {409, 19}}));
    for (const auto& answer : answers)
        if (answer.status == 409) check_refused(answer, 409, "Conflict: reference is used by another item");
    DealerClient client(own_stack(), dealer);
    BOOST_TEST(total(client, "/api/v1/stock") == 1);
}

BOOST_AUTO_TEST_CASE(parallel_puts_of_one_reference_are_one_row) {
    const auto dealer = add_dealer(own_stack());
    const auto answers = at_once(dealer, 20, [](DealerClient& client, std::size_t i) {
        return client.send("PUT", "/api/v1/stock/by-reference/R2", with(van, {{"title", "Van " + std::to_string(i)}}));
    });
    BOOST_TEST((statuses(answers) == std::map<int, int>{{200, 19}, {201, 1}}));
    std::set<std::string> ids;
    for (const auto& answer : answers) ids.insert(answer.json()["data"]["id"]);
    BOOST_TEST(ids.size() == 1u);
    DealerClient client(own_stack(), dealer);
    BOOST_TEST(total(client, "/api/v1/stock") == 1);
}

BOOST_AUTO_TEST_CASE(one_key_twenty_times_at_once_is_one_row_and_equal_answers) {
    const auto dealer = add_dealer(own_stack());
    for (const auto& [target, body] : std::map<std::string, json>{
             {"/api/v1/stock", with(van, {{"reference", "R3"}})},
             {"/api/v1/jobs", {{"title", "Driver"}}},
             {"/api/v1/enquiries", {{"organisationId", dealer.organisation_id}, {"name", "A"}, {"message", "B"}}}})
        BOOST_TEST_CONTEXT(target) {
            const auto answers = at_once(dealer, 20, [&](DealerClient& client, std::size_t) {
                return client.send("POST", target, body, {{"Idempotency-Key", "k-" + target}});
            });
            for (const auto& answer : answers) {
                BOOST_TEST(answer.status == 201);
                BOOST_TEST(answer.body == answers[0].body);
                BOOST_TEST(answer.header("location").value_or("") ==
                           target + "/" + answers[0].json()["data"]["id"].get<std::string>());
            }
            DealerClient client(own_stack(), dealer);
            BOOST_TEST(total(client, target + "?organisationId=" + dealer.organisation_id) == 1);
        }
}

BOOST_AUTO_TEST_CASE(parallel_patches_of_different_fields_all_survive) {
    const auto dealer = add_dealer(own_stack());
    DealerClient client(own_stack(), dealer);
    const std::map<std::string, std::vector<std::string>> fields{
        {"/api/v1/stock", {"title", "description", "category", "make", "model", "variant"}},
        {"/api/v1/jobs", {"title", "summary", "description", "category", "department", "city", "postalCode"}}};
    for (const auto& [collection, names] : fields) BOOST_TEST_CONTEXT(collection) {
            const auto added =
                client.send("POST", collection,
                            collection.ends_with("stock") ? json{{"title", "old"}, {"reference", "R4"}} : json{{"title", "old"}});
            BOOST_REQUIRE_EQUAL(added.status, 201);
            const std::string target = collection + "/" + added.json()["data"]["id"].get<std::string>();
            const auto answers = at_once(dealer, names.size(), [&](DealerClient& one, std::size_t i) {
                return one.send("PATCH", target, {{names[i], "new " + std::to_string(i)}});
            });
            BOOST_TEST((statuses(answers) == std::map<int, int>{{200, int(names.size())}}));
            std::set<std::string> times;
            for (const auto& answer : answers) times.insert(answer.json()["data"]["updatedAt"]);
            BOOST_TEST(times.size() == names.size());
            const auto now = until_served([&] { return client.get(target); }).json()["data"];
            for (std::size_t i = 0; i < names.size(); ++i) BOOST_TEST(now[names[i]] == "new " + std::to_string(i));
        }
}

BOOST_AUTO_TEST_CASE(of_parallel_changes_with_one_if_match_one_wins) {
    const auto dealer = add_dealer(own_stack());
    DealerClient client(own_stack(), dealer);
    const auto added = client.send("POST", "/api/v1/stock", with(van, {{"reference", "R5"}}));
    const std::string target = "/api/v1/stock/" + added.json()["data"]["id"].get<std::string>();
    const auto tag = until_served([&] { return client.get(target); }).header("etag").value_or("");
    const auto answers = at_once(dealer, 12, [&](DealerClient& one, std::size_t i) {
        return one.send("PATCH", target, {{"title", "Van " + std::to_string(i)}}, {{"If-Match", tag}});
    });
    BOOST_TEST((statuses(answers) == std::map<int, int>{{200, 1}, {412, 11}}));
}

BOOST_AUTO_TEST_CASE(posts_with_a_key_are_sent_again_through_killed_workers_and_happen_once) {
    const auto dealer = add_dealer(own_stack());
    constexpr int posts = 300;
    std::atomic<bool> over{false};
    const auto kill_workers = [&] {
        while (!over) {
            const auto workers = own_stack().workers();
            if (!workers.empty()) kill(workers[static_cast<unsigned char>(core::random_bytes(1)[0]) % workers.size()], SIGKILL);
            own_stack().await_workers(4);
        }
    };
    Thread killer(kill_workers, [&] { over = true; });
    std::atomic<int> again{0};
    const auto ids = in_parallel<std::vector<std::string>>(6, [&](std::size_t connection) {
        DealerClient client(own_stack(), dealer);
        std::vector<std::string> made;
        for (int i = 0; i < posts / 6; ++i) {
            const std::string name = std::to_string(connection) + "-" + std::to_string(i);
            Answer answer;
            do {
                answer = client.send("POST", "/api/v1/jobs", {{"title", "Driver " + name}}, {{"Idempotency-Key", name}});
                again += answer.status != 201;
            } while (answer.status == 0 || answer.status >= 500);
            if (answer.status == 201) made.push_back(answer.json()["data"]["id"]);
        }
        return made;
    });
    over = true;
    killer.join();
    BOOST_TEST_MESSAGE(again << " requests were sent again");
    std::set<std::string> different;
    for (const auto& some : ids) different.insert(some.begin(), some.end());
    BOOST_TEST(different.size() == std::size_t(posts));
    DealerClient client(own_stack(), dealer);
    BOOST_TEST(total(client, "/api/v1/jobs?organisationId=" + dealer.organisation_id) == posts);
}

BOOST_AUTO_TEST_CASE(twenty_writers_at_once_meet_no_error) {
    const auto dealer = add_dealer(own_stack());
    const auto failed = in_parallel<int>(20, [&](std::size_t writer) {
        DealerClient client(own_stack(), dealer);
        // A user has a share of the workers, and one that is refused for this reason is to come again.
        const auto post = [&](const std::string& target, const json& body) {
            for (;;) {
                const auto answer = client.send("POST", target, body);
                if (answer.status != 429) return answer.status;
                std::this_thread::sleep_for(std::chrono::seconds(std::stoi(answer.header("retry-after").value_or("1"))));
            }
        };
        int bad = 0;
        for (int i = 0; i < 25; ++i) {
            const auto number = std::to_string(writer * 100 + std::size_t(i));
            bad += post("/api/v1/stock", with(van, {{"reference", number}, {"status", "PUBLISHED"}})) != 201;
            bad += post("/api/v1/jobs", {{"title", "Driver"}}) != 201;
        }
        return bad;
    });
    BOOST_TEST(std::count(failed.begin(), failed.end(), 0) == 20);
    DealerClient client(own_stack(), dealer);
    BOOST_TEST(total(client, "/api/v1/stock") == 500);
    BOOST_TEST(total(client, "/api/v1/jobs?organisationId=" + dealer.organisation_id) == 500);
}

BOOST_AUTO_TEST_CASE(what_tradepostctl_imports_is_in_every_next_list) {
    const auto dealer = add_dealer(own_stack());
    DealerClient client(own_stack(), dealer);
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 20; ++i) BOOST_TEST(total(client, "/api/v1/stock") == round);  // every worker remembers it
        const json line{{"organisation", dealer.slug}, {"reference", std::to_string(round)}, {"title", "Van"}};
        BOOST_TEST(own_stack().ctl({"import", "stock", "-"}, line.dump() + "\n").code == 0);
    }
    for (int i = 0; i < 20; ++i) BOOST_TEST(total(client, "/api/v1/stock") == 3);
}

// Both ways to poll, while many write: by the header, and by the last updatedAt that was seen.
BOOST_AUTO_TEST_CASE(pollers_miss_nothing_while_many_write) {
    const auto dealer = add_dealer(own_stack());
    std::atomic<int> writing{8};
    Thread writers([&] {
        in_parallel(8, [&](std::size_t writer) {
            const std::shared_ptr<void> end(nullptr, [&](void*) { --writing; });
            DealerClient client(own_stack(), dealer);
            for (int i = 0; i < 60; ++i)
                client.send("PUT", "/api/v1/stock/by-reference/" + std::to_string((writer * 7 + std::size_t(i)) % 40),
                            with(van, {{"title", std::to_string(writer) + "/" + std::to_string(i)}}));
        });
    });
    const auto poll = [&](bool by_header) {
        DealerClient client(own_stack(), dealer);
        std::map<std::string, json> seen;
        std::string since = "1970-01-01T00:00:00Z";
        for (bool last = false;; last = writing == 0) {
            std::string next = since;
            for (int page = 1, pages = 1; page <= pages; ++page) {
                const auto target = "/api/v1/stock?limit=100&page=" + std::to_string(page) + "&updatedSince=" + since;
                const auto answer = until_served([&] { return client.get(target); });
                BOOST_REQUIRE_EQUAL(answer.status, 200);
                const auto data = answer.json()["data"];
                pages = data["pages"];
                if (by_header && page == 1) next = answer.header("x-next-updated-since").value_or("none");
                for (const auto& item : data["stock"]) {
                    const std::string at = item["updatedAt"];
                    if (!by_header && at > next) next = at;
                    auto& known = seen[item["reference"]];
                    if (known.is_null() || known["updatedAt"].get<std::string>() <= at) known = item;
                }
            }
            since = next;
            if (last) return seen;
        }
    };
    std::map<std::string, json> by_header, by_last_seen;
    Thread other([&] { by_header = poll(true); });
    by_last_seen = poll(false);
    other.join();
    writers.join();
    DealerClient client(own_stack(), dealer);
    std::map<std::string, json> all;
    const auto data = until_served([&] { return client.get("/api/v1/stock?limit=100"); }).json()["data"]["stock"];
    for (const auto& item : data) all[item["reference"]] = item;
    BOOST_TEST(all.size() == 40u);
    BOOST_TEST((by_header == all));
    BOOST_TEST((by_last_seen == all));
}

BOOST_AUTO_TEST_SUITE_END()
