// Whole feeds through nginx: who may send one, what is written when a worker dies, two at once, the memory that they take.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "db/connection.h"
#include "e2e/checks.h"
#include "support/dealer.h"
#include "support/uploads.h"

using namespace tradepost;
using namespace tradepost::test;
using nlohmann::json;

namespace {

std::string feed(int items, int edition) {
    std::string lines;
    for (int i = 0; i < items; ++i)
        lines += json{{"reference", "F-" + std::to_string(i)},
                      {"title", "Van " + std::to_string(i)},
                      {"description", std::string(400, 'x')},
                      {"price", 1000000 + i * 100 + edition},
                      {"currency", "EUR"},
                      {"status", "PUBLISHED"},
                      {"attributes", {{"colour", i % 2 ? "red" : "blue"}}}}
                     .dump() +
                 "\n";
    return lines;
}

Answer put(const std::string& token, const std::string& lines, const std::string& query = "", bool chunked = false,
           const Site& site = stack().site()) {
    Message message{.method = "PUT",
                    .target = "/api/v1/stock/feed" + query,
                    .headers = {{"Content-Type", "application/x-ndjson"}},
                    .body = lines,
                    .chunked = chunked};
    if (!token.empty()) message.headers.emplace_back("Authorization", "Bearer " + token);
    return Client(site).send(message);
}

// Until a feed of the organisation is being written.
bool await_lock(db::Connection& looker, const std::string& organisation_id) {
    return await([&] {
        try {
            looker.query("SELECT list FROM feeds WHERE organisation_id = ? AND list = 'stock_items' FOR UPDATE NOWAIT",
                         {*core::Uuid::parse(organisation_id)});
            return false;
        } catch (const db::Error&) {
            return true;
        }
    });
}

json result(int created, int updated, int unchanged) {
    return {{"data",
             {{"created", created},
              {"updated", updated},
              {"unchanged", unchanged},
              {"archived", 0},
              {"failed", 0},
              {"failures", json::array()},
              {"dryRun", false}}}};
}

void check_result(const Answer& answer, const json& expected) {
    BOOST_TEST(answer.status == 200);
    BOOST_TEST(answer.json() == expected);
    check_conventions(answer);
}

long incoming_files() {
    return std::distance(std::filesystem::directory_iterator(stack().config().uploads.directory + "/incoming"), {});
}

long peak(pid_t process) {
    const auto status = read_file("/proc/" + std::to_string(process) + "/status");
    return std::stol(status.substr(status.find("VmHWM:") + 6));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(feeds)

BOOST_AUTO_TEST_CASE(nobody_without_credentials_fills_the_disk) {
    const auto large = feed(10'000, 0);
    auto answer = put("", large);
    check_refused(answer, 401, "Unauthorized");
    BOOST_TEST(answer.count("www-authenticate") == 1u);
    BOOST_TEST(answer.header("www-authenticate").value_or("") == "Bearer");
    check_refused(put(std::string(64, 'a'), large), 401, "Unauthorized");
    check_refused(put(stack().mint(stack().add_user()), large), 404, "Not found");
    check_refused(put(add_dealer(stack()).token, std::string((50 << 20) + 1, ' ')), 413, "Request body too large");
    BOOST_TEST(await([] { return incoming_files() == 0; }));
    check_refused(Client(stack().site()).get("/.body-check"), 404, "Not found");
    check_refused(Client(stack().site()).get("/.feed-read"), 404, "Not found");
}

BOOST_AUTO_TEST_CASE(a_feed_is_one_write) {
    const auto dealer = add_dealer(stack());
    for (const bool chunked : {false, true}) {
        const auto answer = put(dealer.token, feed(500, 0), "", chunked);
        check_result(answer, chunked ? result(0, 0, 500) : result(500, 0, 0));
        BOOST_TEST(answer.header("ratelimit-remaining").value_or("") == (chunked ? "118" : "119"));
    }
    check_refused(put(dealer.token, ""), 400, "Invalid field: body: must not be empty");
    BOOST_TEST(await([] { return incoming_files() == 0; }));
}

BOOST_AUTO_TEST_CASE(a_killed_worker_leaves_nothing) {
    const auto dealer = add_dealer(stack());
    check_result(put(dealer.token, feed(600, 0)), result(600, 0, 0));
    const auto headers = bearer(dealer.token);
    const auto before = Client(stack().site()).get("/api/v1/stock/feed", headers);
    const auto workers = stack().workers("uploads");
    {
        // The feed gets as far as the last item.
        db::Connection holder(stack().config().database), looker(stack().config().database);
        db::Transaction transaction(holder);
        holder.query("SELECT id FROM stock_items WHERE reference = 'F-599' AND organisation_id = ? FOR UPDATE",
                     {*core::Uuid::parse(dealer.organisation_id)});
        Answer answer;
        Thread sender([&] { answer = put(dealer.token, feed(600, 1)); });
        BOOST_TEST(await_lock(looker, dealer.organisation_id));
        for (const auto worker : workers) kill(worker, SIGKILL);
        sender.join();
        BOOST_TEST(answer.status == 502);
    }
    BOOST_TEST(stack().await_workers(workers.size(), "uploads"));
    const auto after = Client(stack().site()).get("/api/v1/stock/feed", headers);
    BOOST_TEST(after.status == 200);
    BOOST_TEST((after.body == before.body));
    check_result(put(dealer.token, feed(600, 1)), result(0, 600, 0));
    check_result(put(dealer.token, feed(600, 1)), result(0, 0, 600));
}

// On a stack whose other requests end after 5 seconds.
// One location of nginx is for all resources.
BOOST_AUTO_TEST_CASE(each_resource_has_a_feed) {
    const auto dealer = add_dealer(stack());
    const Headers headers = {{"Authorization", "Bearer " + dealer.token}};
    for (const std::string kind : {"stock", "jobs", "events", "posts"}) {
        BOOST_TEST_CONTEXT(kind) {
            const auto target = "/api/v1/" + kind + "/feed";
            json line = {{"reference", "F-1"}, {"title", "One"}};
            if (kind == "events") line["startsAt"] = "2036-05-09T09:00:00.000Z";
            const auto sent = Client(stack().site())
                                  .send({.method = "PUT",
                                         .target = target + "?mode=complete",
                                         .headers = {headers[0], {"Content-Type", "application/x-ndjson"}},
                                         .body = line.dump() + "\n"});
            check_result(sent, result(1, 0, 0));
            BOOST_TEST(sent.header("ratelimit-limit").value_or("") == "120");
            const auto read = Client(stack().site()).get(target, headers);
            BOOST_TEST(read.status == 200);
            BOOST_TEST(json::parse(read.body)["reference"] == "F-1");
        }
    }
}

BOOST_AUTO_TEST_CASE(a_feed_may_take_longer_than_other_requests) {
    const auto& own = own_stack();
    const auto dealer = add_dealer(own);
    check_result(put(dealer.token, feed(10, 0), "", false, own.site()), result(10, 0, 0));
    const auto workers = own.workers("uploads");
    db::Connection holder(own.config().database), looker(own.config().database);
    Answer answer;
    Thread sender;
    {
        db::Transaction transaction(holder);
        holder.query("SELECT id FROM stock_items WHERE reference = 'F-9' AND organisation_id = ? FOR UPDATE",
                     {*core::Uuid::parse(dealer.organisation_id)});
        sender = Thread([&] { answer = put(dealer.token, feed(10, 1), "", false, own.site()); });
        BOOST_TEST(await_lock(looker, dealer.organisation_id));
        std::this_thread::sleep_for(std::chrono::seconds(6));
    }
    sender.join();
    check_result(answer, result(0, 10, 0));
    BOOST_TEST(own.workers("uploads") == workers, boost::test_tools::per_element());
}

// A feed of an organisation goes on for long. Six at once write to it, more than there are workers, and strangers read.
BOOST_AUTO_TEST_CASE(others_do_not_wait_for_a_feed) {
    const auto dealer = add_dealer(stack()), colleague = add_colleague(stack(), dealer), stranger = add_dealer(stack());
    check_result(put(dealer.token, feed(300, 0)), result(300, 0, 0));
    db::Connection holder(stack().config().database), looker(stack().config().database);
    Answer answer;
    Thread sender;
    std::string since;
    {
        db::Transaction transaction(holder);
        const auto held = holder
                              .query("SELECT id FROM stock_items WHERE reference = 'F-299' AND organisation_id = ? FOR UPDATE",
                                     {*core::Uuid::parse(dealer.organisation_id)})
                              .at(0)
                              .uuid(0);
        // Before the feed, which would not wait for as long as database.lock_wait_ms may be here.
        const auto refused =
            DealerClient(stack(), colleague).send("PATCH", "/api/v1/stock/" + held.to_string(), {{"title", "Mine"}});
        check_refused(refused, 503, "Service unavailable");
        BOOST_TEST(refused.header("retry-after").value_or("") == "1");
        sender = Thread([&] { answer = put(dealer.token, feed(300, 1) + "{\"reference\":\"New\",\"title\":\"New\"}\n"); });
        BOOST_TEST(await_lock(looker, dealer.organisation_id));
        const auto ask = [&](std::size_t i) {
            if (i == 7) return Client(stack().site()).get("/api/v1/jobs");
            if (i == 6)
                return until_served(
                    [&] { return DealerClient(stack(), colleague).get("/api/v1/stock?updatedSince=2020-01-01T00:00:00Z"); });
            if (i % 2)
                return DealerClient(stack(), colleague)
                    .send("POST", "/api/v1/stock", {{"reference", "S-" + std::to_string(i)}, {"title", "Single"}});
            return DealerClient(stack(), stranger)
                .send("POST", "/api/v1/enquiries",
                      {{"organisationId", dealer.organisation_id}, {"name", "A"}, {"message", "Hello"}});
        };
        // Three at once of a caller may be one more than its share of the workers.
        const auto answers = in_parallel<Answer>(8, [&](std::size_t i) {
            Answer got;
            await([&] { return (got = ask(i)).status != 429; });
            return got;
        });
        for (std::size_t i = 0; i < answers.size(); ++i)
            BOOST_TEST(answers[i].status == (i < 6 ? 201 : 200), i << " " << answers[i].body);
        since = answers[6].header("x-next-updated-since").value_or("");
        BOOST_TEST(answer.status == 0);
    }
    sender.join();
    check_result(answer, result(1, 300, 0));
    // Nothing of it was before the poll.
    const auto next = until_served([&] { return DealerClient(stack(), colleague).get("/api/v1/stock?updatedSince=" + since); });
    BOOST_TEST(next.json()["data"]["total"] == 304);
}

BOOST_AUTO_TEST_CASE(two_at_once_come_one_after_the_other) {
    const auto dealer = add_dealer(stack());
    int created = 0, unchanged = 0;
    for (const auto& answer : in_parallel<Answer>(2, [&](std::size_t) { return put(dealer.token, feed(200, 0)); })) {
        BOOST_TEST(answer.status == 200, answer.body);
        created += int(answer.json()["data"]["created"]);
        unchanged += int(answer.json()["data"]["unchanged"]);
    }
    BOOST_TEST(created == 200);
    BOOST_TEST(unchanged == 200);
}

BOOST_AUTO_TEST_CASE(what_is_read_can_be_sent_and_takes_little_memory) {
    const auto dealer = add_dealer(stack());
    const auto headers = bearer(dealer.token);
    const auto workers = stack().workers("uploads");
    std::vector<long> before;
    for (const auto worker : workers) {
        std::ofstream("/proc/" + std::to_string(worker) + "/clear_refs") << "5";
        before.push_back(peak(worker));
    }
    check_result(put(dealer.token, feed(1000, 0)), result(1000, 0, 0));
    const auto all = Client(stack().site()).get("/api/v1/stock/feed", headers);
    BOOST_TEST(all.status == 200);
    BOOST_TEST(all.header("content-type").value_or("") == "application/x-ndjson");
    BOOST_TEST(std::count(all.body.begin(), all.body.end(), '\n') == 1000);
    check_result(put(dealer.token, all.body), result(0, 0, 1000));
    check_result(put(dealer.token, feed(1000, 1)), result(0, 1000, 0));
    BOOST_TEST(stack().workers("uploads") == workers);
    for (std::size_t i = 0; i < workers.size(); ++i)
        BOOST_TEST((has_address_sanitizer(workers[i]) || peak(workers[i]) - before[i] < 32 * 1024));
}

BOOST_AUTO_TEST_SUITE_END()
