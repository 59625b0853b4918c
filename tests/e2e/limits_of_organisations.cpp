// One organisation cannot fill the database, whatever it sends, and others do not notice that it is full (API rules, "Limits of
// organisations"). The limits are those of own_stack.cpp.
#include <map>

#include "e2e/session.h"
#include "limits/admission.h"
#include "support/dealer.h"

using namespace tradepost;
using namespace tradepost::test;
using nlohmann::json;

namespace {

constexpr int most_items = 10'000, most_posts = 10;

std::string feed(int lines, int first) {
    std::string all;
    for (int i = first; i < first + lines; ++i)
        all += json{{"reference", "F-" + std::to_string(i)}, {"title", "Van"}}.dump() + "\n";
    return all;
}

Answer put(const Dealer& dealer, const std::string& lines, const std::string& query = "") {
    return Client(own_stack().site())
        .send(Message{.method = "PUT",
                      .target = "/api/v1/stock/feed" + query,
                      .headers = {{"Content-Type", "application/x-ndjson"}, {"Authorization", "Bearer " + dealer.token}},
                      .body = lines});
}

int used(const Dealer& dealer, const std::string& kind) {
    const auto shown = own_stack().ctl({"org", "show", "--org", dealer.slug, "--json"});
    BOOST_REQUIRE_EQUAL(shown.code, 0);
    const auto organisation = json::parse(shown.out);
    for (const auto& each : organisation["usage"])
        if (each["kind"] == kind) return each["used"];
    return -1;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(limits_of_organisations)

BOOST_AUTO_TEST_CASE(seven_feeds_fill_no_more_than_the_limit) {
    constexpr int lines = 4000;
    const auto dealer = add_dealer(own_stack()), other = add_dealer(own_stack());
    const std::string reached = "Conflict: limit of " + std::to_string(most_items) + " stock items reached";
    for (int i = 0; i < 2; ++i) BOOST_TEST(put(dealer, feed(lines, i * lines)).json()["data"]["created"] == lines);
    const auto third = put(dealer, feed(lines, 2 * lines), "?onError=skip").json()["data"];
    BOOST_TEST(third["created"] == most_items - 2 * lines);
    BOOST_TEST(third["failed"] == 3 * lines - most_items);
    BOOST_TEST(third["failures"][0]["error"] == reached);
    for (int i = 3; i < 7; ++i) check_refused(put(dealer, feed(lines, i * lines)), 400, "Line 1: " + reached);
    BOOST_TEST(used(dealer, "STOCK_ITEMS") == most_items);

    // What is there is changed, and others go on.
    BOOST_TEST(put(dealer, R"({"reference": "F-1", "title": "Changed"})").json()["data"]["updated"] == 1);
    BOOST_TEST(DealerClient(own_stack(), other).send("POST", "/api/v1/stock", {{"reference", "A"}, {"title", "Van"}}).status ==
               201);
    check_refused(DealerClient(own_stack(), dealer).send("POST", "/api/v1/stock", {{"reference", "A"}, {"title", "Van"}}), 409,
                  reached);
}

BOOST_AUTO_TEST_CASE(workers_do_not_exceed_a_limit_together) {
    const auto dealer = add_dealer(own_stack());
    const auto answers = in_parallel<Answer>(20, [&](std::size_t) {
        DealerClient client(own_stack(), dealer);
        for (;;) {
            const auto answer = client.send("POST", "/api/v1/posts", {{"title", "News"}});
            if (answer.status != 429) return answer;  // over its share of the workers: sent again
        }
    });
    std::map<int, int> statuses;
    for (const auto& answer : answers) ++statuses[answer.status];
    BOOST_TEST(statuses[201] == most_posts);
    BOOST_TEST(statuses[409] == 20 - most_posts);
    BOOST_TEST(used(dealer, "POSTS") == most_posts);
}

// Its rows are counted, so nobody has several workers do that.
BOOST_AUTO_TEST_CASE(an_organisation_has_its_usage_counted_once_at_a_time) {
    const auto dealer = add_dealer(stack());
    const auto session = begin_session(dealer.user);
    const auto get = [&] {
        return Client(stack().site())
            .send(
                Message{.target = "/dashboard/api/usage?organisationId=" + dealer.organisation_id, .headers = session.reading()});
    };
    core::SystemClock clock;
    limits::Admission worker(limits::admission_path(stack().config(), "api"), 4, clock);
    {
        const auto busy = worker.turns().take("usage of " + dealer.organisation_id, 1);
        BOOST_REQUIRE(busy.taken);
        const auto answer = get();
        check_refused(answer, 503, "Service unavailable");
        BOOST_TEST(answer.header("retry-after").value_or("") == "1");
    }
    BOOST_TEST(get().json()["data"]["usage"][0] ==
               (json{{"kind", "MEMBERS"}, {"used", 1}, {"limit", 500}, {"beyond", "REFUSED"}}));
}

BOOST_AUTO_TEST_SUITE_END()
