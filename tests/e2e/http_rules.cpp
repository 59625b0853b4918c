// Rules of HTTP that nginx has a part in: CORS of its errors, chunked uploads, compressed feeds, refusals before a body.
#include <filesystem>

#include "e2e/checks.h"
#include "support/gzip.h"
#include "support/pictures.h"
#include "support/uploads.h"

using namespace tradepost;
using namespace tradepost::test;
using nlohmann::json;

namespace {

constexpr std::size_t mebibyte = 1 << 20;
const Headers other_origin{{"Origin", "https://anywhere.example"}};

Message feed(const Dealer& dealer, const std::string& lines, const std::string& query = "", const std::string& coding = "gzip") {
    return {.method = "PUT",
            .target = "/api/v1/stock/feed" + query,
            .headers = {{"Authorization", "Bearer " + dealer.token},
                        {"Content-Type", "application/x-ndjson"},
                        {"Content-Encoding", coding}},
            .body = lines};
}

std::string lines(int items) {
    std::string text;
    for (int i = 0; i < items; ++i)
        text +=
            json{{"reference", "Z-" + std::to_string(i)}, {"title", "Van"}, {"description", std::string(500, 'x')}}.dump() + "\n";
    return text;
}

bool incoming_is_empty() {
    return std::filesystem::is_empty(stack().config().uploads.directory + "/incoming");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(http_rules)

// Whether nginx answers or a worker does.
BOOST_AUTO_TEST_CASE(pages_of_all_origins_read_the_errors_of_public_paths) {
    Client client(stack().site());
    const auto check = [&](Message message, int status, const char* origin) {
        message.headers.insert(message.headers.end(), other_origin.begin(), other_origin.end());
        for (const bool http2 : {false, true}) {
            message.http2 = http2;
            const auto answer = client.send(message);
            BOOST_TEST_CONTEXT(message.method << " " << message.target.substr(0, 60) << " over HTTP/" << (http2 ? 2 : 1)) {
                BOOST_TEST(answer.status == status);
                BOOST_TEST(answer.count("access-control-allow-origin") == (*origin ? 1u : 0u));
                BOOST_TEST(answer.header("access-control-allow-origin").value_or("") == origin);
                check_conventions(answer);
            }
        }
    };
    const std::string body(mebibyte + 1, ' '), query = "?q=" + std::string(17'000, 'x');
    for (const std::string path : {"/api/v1/jobs", "/api/v1/events", "/api/v1/posts", "/api/v1/jobs/x", "/api/v1/jobs/facets"}) {
        check({.target = path + query}, 414, "*");
        check({.method = "POST", .target = path, .body = body}, 413, "*");
        check({.method = "PUT", .target = path}, 405, "*");
    }
    check({.target = "/api/v1/jobs/no-such-job"}, 404, "*");
    check({.target = "/api/v1/jobs/"}, 404, "*");
    check({.target = "/api/v1/nothing"}, 404, "*");
    check({.method = "TRACE", .target = "/api/v1/posts"}, 405, "*");
    check({.target = "/uploads/00/" + std::string(64, '0') + ".jpg"}, 404, "*");
    check({.target = "/uploads/nothing"}, 404, "*");
    for (const std::string path :
         {"/api/v1/stock", "/api/v1/jobs/deletions", "/api/v1/jobs/by-reference/x", "/dashboard/api/session"}) {
        check({.target = path + query}, 414, "");
        check({.method = "POST", .target = path, .body = body}, 413, "");
    }
    check({.method = "PUT", .target = "/api/v1/stock"}, 405, "");
    check({.target = "/dashboard/api/nothing"}, 404, "");
}

BOOST_AUTO_TEST_CASE(a_ticket_takes_a_body_without_a_length) {
    const auto dealer = add_dealer(stack());
    for (const bool http2 : {false, true}) {
        const auto bytes = pdf(std::string(200'000, http2 ? 'b' : 'a'));
        const auto ticket = ticket_for(stack(), dealer, bytes, "application/pdf");
        const auto send = [&](const std::string& body) {
            Answer answer;
            // nginx counts a request for a moment after its response.
            await([&] {
                answer = Client(stack().site())
                             .send({.method = "PUT", .target = ticket, .body = body, .chunked = true, .http2 = http2});
                return answer.status != 409 || answer.error() != "Conflict: ticket is in use";
            });
            return answer;
        };
        BOOST_TEST_CONTEXT("HTTP/" << (http2 ? 2 : 1)) {
            check_refused(send(bytes + "x"), 400, "Invalid field: size: must be the number of bytes in the body");
            check_refused(send(bytes.substr(1)), 400, "Invalid field: size: must be the number of bytes in the body");
            check_refused(send(std::string((50 << 20) + 1, ' ')), 413, "Request body too large");
            const auto answer = send(bytes);
            BOOST_TEST(answer.status == 200);
            BOOST_TEST(answer.json()["data"]["size"] == bytes.size());
            check_refused(send(bytes), 409, "Conflict: ticket is spent");
        }
    }
    const auto bytes = pdf("c");
    const auto ticket = ticket_for(stack(), dealer, bytes, "application/pdf");
    check_refused(put_bytes(stack(), ticket, ""), 400, "Invalid field: body: must not be empty");
    const auto encoded = put_bytes(stack(), ticket, bytes, {{"Content-Encoding", "gzip"}});
    check_refused(encoded, 415, "Content-Encoding must be identity");
    BOOST_TEST(encoded.header("accept-encoding").value_or("") == "identity");
    BOOST_TEST(await(incoming_is_empty));
}

BOOST_AUTO_TEST_CASE(a_feed_may_be_compressed) {
    const auto dealer = add_dealer(stack());
    Client client(stack().site());
    const auto text = gzip(lines(5000));
    BOOST_TEST(text.size() < 200'000u);
    for (const bool chunked : {false, true}) {
        auto message = feed(dealer, text);
        message.chunked = chunked;
        const auto answer = client.send(message);
        BOOST_TEST(answer.status == 200);
        BOOST_TEST(answer.json()["data"][chunked ? "unchanged" : "created"] == 5000);
    }
    check_refused(client.send(feed(dealer, text.substr(0, text.size() - 9))), 400,
                  "Invalid field: body: must be gzip, as Content-Encoding says");
    const auto other = client.send(feed(dealer, text, "", "br"));
    check_refused(other, 415, "Content-Encoding must be gzip");
    BOOST_TEST(other.header("accept-encoding").value_or("") == "gzip");
    const auto stock = client.send({.method = "POST",
                                    .target = "/api/v1/stock",
                                    .headers = {{"Authorization", "Bearer " + dealer.token},
                                                {"Content-Type", "application/json"},
                                                {"Content-Encoding", "gzip"}},
                                    .body = gzip("{}")});
    check_refused(stock, 415, "Content-Encoding must be identity");
    BOOST_TEST(stock.header("accept-encoding").value_or("") == "identity");
}

// A gibibyte in a mebibyte. Neither disk nor memory gets to see it.
BOOST_AUTO_TEST_CASE(a_bomb_is_refused) {
    const auto dealer = add_dealer(stack());
    const auto member = gzip(std::string(64 << 20, ' '));
    std::string bomb;
    for (int i = 0; i < 16; ++i) bomb += member;
    check_refused(Client(stack().site()).send(feed(dealer, bomb)), 413, "Request body too large");
    BOOST_TEST(await(incoming_is_empty));
}

// nginx gives the answer of the check.
BOOST_AUTO_TEST_CASE(a_parameter_is_named_before_the_body) {
    const auto dealer = add_dealer(stack());
    Client client(stack().site());
    const std::pair<std::string, std::string> cases[] = {{"?dryrun=true", "dryrun; is unknown"},
                                                         {"?dryRun=", "dryRun; must not be empty"},
                                                         {"?x%22%5Cy=1", "x%22%5Cy; is unknown"},
                                                         {"?mode=all", "mode; must be merge or complete"}};
    for (const auto& [query, parameter] : cases) {
        auto message = feed(dealer, lines(1), query, "identity");
        message.headers.emplace_back("Origin", "https://anywhere.example");
        const auto answer = client.send(message);
        check_refused(answer, 400, "Invalid query");
        BOOST_TEST(answer.header("x-invalid-parameter").value_or("") == parameter);
    }
    const auto upload =
        client.send({.method = "POST",
                     .target = "/api/v1/uploads?x=1",
                     .headers = {{"Authorization", "Bearer " + dealer.token}, {"Content-Type", "application/json"}},
                     .body = "{}"});
    check_refused(upload, 400, "Invalid query");
    BOOST_TEST(upload.header("x-invalid-parameter").value_or("") == "x; is unknown");
    BOOST_TEST(upload.count("x-invalid-parameter") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
