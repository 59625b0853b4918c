// What is refused before nginx reads the body: the answer comes although the body never does, with all workers stopped that would take it.
#include <filesystem>
#include <memory>

#include "core/clock.h"
#include "db/connection.h"
#include "e2e/checks.h"
#include "identity/tokens/tokens.h"
#include "limits/admission.h"
#include "support/dealer.h"
#include "support/fault_injection.h"
#include "support/pictures.h"
#include "support/raw_connection.h"
#include "support/uploads.h"

using namespace tradepost;
using namespace tradepost::test;
using nlohmann::json;

namespace {

long incoming_files() {
    return std::distance(std::filesystem::directory_iterator(stack().config().uploads.directory + "/incoming"), {});
}

// The head of the answer to the beginning of a long body.
std::string begin(const std::string& request_line, const std::string& token, const std::string& type) {
    RawConnection connection(stack().site());
    connection.send(request_line + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000\r\nContent-Type: " + type +
                    "\r\nAuthorization: Bearer " + token + "\r\n\r\n" + std::string(100'000, ' '));
    const auto answer = connection.read_until("}");
    BOOST_TEST(incoming_files() == 0);
    return answer;
}

void check_answer(const std::string& answer, const std::string& status, const std::string& error,
                  const std::vector<std::string>& headers) {
    BOOST_TEST(answer.starts_with("HTTP/1.1 " + status + " "), answer);
    BOOST_TEST(answer.ends_with("{\"error\":\"" + error + "\"}"), answer);
    for (const auto& header : headers) BOOST_TEST(answer.find("\r\n" + header) != std::string::npos, header << " in " << answer);
}

std::string scoped_token(const Dealer& dealer, const std::string& scope) {
    const auto minted = stack().ctl({"token", "mint", "--email", dealer.user.email, "--name", "e2e", "--scope", scope, "--json"});
    BOOST_REQUIRE_MESSAGE(minted.code == 0, minted.err);
    const std::string token = json::parse(minted.out)["token"];
    remember_secret(token);
    return token;
}

const std::string lines = "application/x-ndjson", body = "application/json";

}  // namespace

BOOST_AUTO_TEST_SUITE(bodies_checked)

BOOST_AUTO_TEST_CASE(scope_query_organisation_and_limit) {
    const auto dealer = add_dealer(stack()), other = add_dealer(stack()), limited = add_dealer(stack());
    const auto reader = scoped_token(dealer, "stock:read");
    const Paused paused(stack().workers("uploads"));
    check_answer(begin("PUT /api/v1/stock/feed", reader, lines), "403", "Forbidden",
                 {"WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"stock:write\"\r\n"});
    for (const auto* line : {"PUT /api/v1/jobs/feed", "PUT /api/v1/events/feed", "PUT /api/v1/posts/feed"})
        check_answer(begin(line, reader, lines), "403", "Forbidden",
                     {"WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"jobs:write\"\r\n"});
    check_answer(begin("POST /api/v1/uploads", reader, body), "403", "Forbidden",
                 {"WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"uploads:write\"\r\n"});
    check_answer(begin("POST /api/v1/uploads", std::string(64, 'a'), body), "401", "Unauthorized",
                 {"WWW-Authenticate: Bearer\r\n"});
    check_answer(begin("PUT /api/v1/stock/feed?mode=all", dealer.token, lines), "400", "Invalid query",
                 {"RateLimit-Limit: 120\r\n", "RateLimit-Remaining: 119\r\n"});
    check_answer(begin("PUT /api/v1/stock/feed?organisationId=" + other.organisation_id, dealer.token, lines), "404", "Not found",
                 {"RateLimit-Remaining: 118\r\n"});
    DealerClient client(stack(), limited);
    for (int i = 0; i < 120; ++i) client.send("DELETE", "/api/v1/stock/0195f0a0-0000-7000-8000-00000000ffff");
    for (const auto& [line, type] : {std::pair("PUT /api/v1/stock/feed", lines), std::pair("POST /api/v1/uploads", body)})
        check_answer(begin(line, limited.token, type), "429", too_many_requests,
                     {"Retry-After: ", "RateLimit-Limit: 120\r\n", "RateLimit-Remaining: 0\r\n", "RateLimit-Reset: "});
    // A whole body is refused in the same way.
    for (const auto* target : {"/api/v1/stock/feed", "/api/v1/jobs/feed", "/api/v1/events/feed", "/api/v1/posts/feed"})
        check_refused(client.send("PUT", target, nullptr, {{"Content-Type", lines}}), 429, too_many_requests);
    check_refused(client.send("POST", "/api/v1/uploads", json::object()), 429, too_many_requests);
}

// Four others of the organisation are at work or wait for it.
BOOST_AUTO_TEST_CASE(more_uploads_at_once_than_may_wait) {
    const auto dealer = add_dealer(stack()), other = add_dealer(stack());
    const core::SystemClock clock;
    const auto path = limits::admission_path(stack().config(), "uploads");
    const auto key = "uploads of " + dealer.organisation_id;
    std::vector<std::unique_ptr<limits::Turns>> others;
    std::vector<limits::Turns::Place> places;
    while (!limits::Turns::is_full(path, key, 4)) {
        others.push_back(std::make_unique<limits::Turns>(path, clock));
        places.push_back(others.back()->take(key, 4).place);
    }
    const auto file =
        json{{"filename", "a.pdf"}, {"contentType", "application/pdf"}, {"size", 9}, {"sha256", std::string(64, 'a')}};
    const auto ticket = DealerClient(stack(), dealer).send("POST", "/api/v1/uploads", file);
    BOOST_TEST(ticket.status == 201);
    {
        const Paused paused(stack().workers("uploads"));
        check_answer(begin("POST /api/v1/uploads", dealer.token, body), "503", "Service unavailable", {"Retry-After: 5\r\n"});
        RawConnection connection(stack().site());
        connection.send("PUT " + ticket.json()["data"]["uploadUrl"].get<std::string>() +
                        " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n1234");
        check_answer(connection.read_until("}"), "503", "Service unavailable", {"Retry-After: 5\r\n"});
    }
    BOOST_TEST(DealerClient(stack(), other).send("POST", "/api/v1/uploads", file).status == 201);
}

// The body of the check reaches the client as it is, and so do its headers.
BOOST_AUTO_TEST_CASE(problems_before_the_body) {
    const auto dealer = add_dealer(stack()), other = add_dealer(stack()), limited = add_dealer(stack());
    const auto reader = scoped_token(dealer, "stock:read");
    const auto ask = [](const std::string& method, const std::string& target, const std::string& token, const std::string& type) {
        auto headers = wants_problem;
        headers.emplace_back("Content-Type", type);
        if (!token.empty()) headers.emplace_back("Authorization", "Bearer " + token);
        return Client(stack().site()).send({.method = method, .target = target, .headers = headers, .body = "{}"});
    };
    check_problem(ask("PUT", "/api/v1/stock/feed", "", lines), http::unauthorized());
    check_problem(ask("POST", "/api/v1/uploads", std::string(64, 'a'), body), http::unauthorized());
    const auto forbidden = ask("PUT", "/api/v1/stock/feed", reader, lines);
    check_problem(forbidden, http::forbidden());
    BOOST_TEST(forbidden.header("www-authenticate").value_or("") == R"(Bearer error="insufficient_scope", scope="stock:write")");
    const auto query = ask("PUT", "/api/v1/jobs/feed?dry%C3%BCrun=%22", dealer.token, lines);
    check_problem(query, http::invalid_query("dry\xc3\xbcrun", "is unknown"));
    BOOST_TEST(query.header("x-invalid-parameter").value_or("") == "dry%C3%BCrun; is unknown");
    BOOST_TEST(query.header("ratelimit-limit").value_or("") == "120");
    BOOST_TEST(query.header("cache-control").value_or("") == "no-store");
    check_problem(ask("PUT", "/api/v1/posts/feed?organisationId=" + other.organisation_id, dealer.token, lines),
                  http::not_found());
    check_problem(ask("PUT", "/upload/" + std::string(64, 'a'), "", lines), http::not_found());
    BOOST_TEST(!query.header("x-token-expires-at"));
    db::Connection(stack().config().database)
        .execute("UPDATE api_tokens SET expires_at = UTC_TIMESTAMP(3) + INTERVAL 1 DAY WHERE hash = ?",
                 {db::Binary{identity::token_hash(reader)}});
    BOOST_TEST(ask("PUT", "/api/v1/stock/feed", reader, lines).count("x-token-expires-at") == 1u);

    const auto bytes = pdf("x");
    const auto ticket = ticket_for(stack(), dealer, bytes, "application/pdf");
    check_problem(ask("POST", ticket, "", body), {405, "Method not allowed"});
    // nginx counts a request for a moment after its response.
    const auto put = [&](const std::string& sent) { return put_bytes(stack(), ticket, sent, wants_problem); };
    check_problem(put(bytes + "x"), http::invalid_field("size", "must be the number of bytes in the body"));
    check_problem(put(""), http::invalid_field("body", "must not be empty"));
    BOOST_TEST(put(bytes).status == 200);
    check_problem(put(bytes), http::conflict("ticket is spent"));

    const auto its_ticket = ticket_for(stack(), limited, bytes, "application/pdf");
    DealerClient client(stack(), limited);
    for (int i = 0; i < 120; ++i) client.send("DELETE", "/api/v1/stock/0195f0a0-0000-7000-8000-00000000ffff");
    for (const auto& answer : {ask("PUT", "/api/v1/stock/feed", limited.token, lines),
                               ask("POST", "/api/v1/uploads", limited.token, body), ask("PUT", its_ticket, "", lines)}) {
        check_problem(answer, http::too_many_requests(std::chrono::seconds(1)));
        BOOST_TEST(answer.header("retry-after").value_or("none") == answer.header("ratelimit-reset").value_or(""));
        BOOST_TEST(answer.header("ratelimit-remaining").value_or("") == "0");
    }
}

BOOST_AUTO_TEST_SUITE_END()
