// nginx chooses the pool by the decoded path, a worker the route by the path as it was sent: a route runs in no pool but its own.
#include "e2e/checks.h"
#include "support/dealer.h"

using namespace tradepost::test;

namespace {

const nlohmann::json item{{"title", "Van"}};

}  // namespace

BOOST_AUTO_TEST_SUITE(nginx_pools)

BOOST_AUTO_TEST_CASE(a_path_that_decodes_to_that_of_another_pool) {
    DealerClient software(stack(), add_dealer(stack()));
    Client client(stack().site());
    for (const std::string reference : {"..%2f..%2fauth", "..%2F..%2Fauth", "..%2f..%2fuploads", "..%2f..%2f%75ploads",
                                        "..%2f..%2f..%2f..%2fdashboard%2fapi%2fpassword", "x%2f..%2f..%2f..%2fauth",
                                        "..%2f..%2fdiagnosis%2fauth%2fx", "..%2f..%2fdiagnosis%2fuploads%2fx"})
        for (const bool http2 : {false, true}) BOOST_TEST_CONTEXT(reference) {
                const auto target = "/api/v1/stock/by-reference/" + reference;
                const auto put = software.send("PUT", target, item);
                check_refused(put, 404, "Not found");
                BOOST_TEST(!put.header("ratelimit-limit"));
                const auto get = client.send({.target = "/api/v1/jobs/x%2f" + reference, .http2 = http2});
                check_refused(get, 404, "Not found");
                BOOST_TEST(!get.header("ratelimit-limit"));
                for (const auto* method : {"OPTIONS", "GET"})
                    check_refused(client.send({.method = method, .target = target, .http2 = http2}), 404, "Not found");
            }
    BOOST_TEST(software.get("/api/v1/stock").json()["data"]["total"] == 0);
}

// A reference may hold such characters where they lead to no other pool.
BOOST_AUTO_TEST_CASE(a_path_that_decodes_to_another_one_of_its_pool) {
    DealerClient software(stack(), add_dealer(stack()));
    const auto put = software.send("PUT", "/api/v1/stock/by-reference/..%2f..%2fjobs", item);
    BOOST_TEST(put.status == 201);
    BOOST_TEST(put.json()["data"]["reference"] == "../../jobs");
}

BOOST_AUTO_TEST_CASE(a_preflight_for_a_method_of_another_pool) {
    Client client(stack().site());
    const auto answer = client.send(
        {.method = "OPTIONS", .target = "/dashboard/api/session", .headers = {{"Access-Control-Request-Method", "POST"}}});
    BOOST_TEST(answer.status == 200);
    BOOST_TEST(answer.header("allow").value_or("") == "GET, HEAD, POST, DELETE, OPTIONS");
}

BOOST_AUTO_TEST_SUITE_END()
