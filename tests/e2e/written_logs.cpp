// Logs (API rules, "Operation"): one line per request, and never a credential.
#include "core/crypto.h"
#include "e2e/checks.h"
#include "support/pictures.h"
#include "support/raw_connection.h"
#include "support/uploads.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

// What of these stands in a log of the stack, one per line. grep looks for all of them at once.
std::string logged(const Stack& one, const std::set<std::string>& texts) {
    std::string patterns;
    for (const auto& text : texts) patterns += text + "\n";
    const auto found = run_command({"grep", "--recursive", "--text", "--fixed-strings", "--only-matching", "--no-filename",
                                    "--file=-", one.state() + "/log"},
                                   patterns, {{"LC_ALL", "C"}});
    BOOST_TEST(found.code == 1, found.err);  // nothing
    return found.out;
}

// A request that is refused for its size. nginx waits for the body for some seconds, and this does not wait for nginx.
void announce_much(const std::string& method, const std::string& path) {
    RawConnection connection(stack().site());
    connection.send(method + " " + path +
                    " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 99999999\r\n\r\n");
    BOOST_TEST(connection.read_until("}").starts_with("HTTP/1.1 413 "));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(written_logs)

// In good requests and in those that are refused at every station on the way; and what other tests used until now.
BOOST_AUTO_TEST_CASE(no_log_holds_a_credential) {
    const auto user = stack().add_user();
    const auto minted = stack().mint(user);
    Client client(stack().site());
    const auto token = sign_in(client, user);
    const std::string wrong = "wrong-password-of-" + user.email.substr(4, 16);
    remember_secret(wrong);
    remember_secret("Bearer " + token.substr(0, 8));
    for (const auto* target : {"/api/v1/me", "/api/v1/jobs?page=0", "/nothing", "/api/v1/jobs%00", "/api/v1/nothing"})
        for (const auto* method : {"GET", "POST", "BREW"})
            client.send({.method = method, .target = target, .headers = bearer(token)});
    client.send({.target = "/healthz?" + std::string(20000, 'x'), .headers = bearer(token)});
    raw_exchange(stack().site(), "GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token +
                                     "\r\nAuthorization: Bearer " + minted + "\r\nConnection: close\r\n\r\n");
    raw_exchange(stack().site(), "GARBAGE\r\nAuthorization: Bearer " + token + "\r\n\r\n");
    raw_exchange(stack().site(), "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer " +
                                     token + "\r\nBad Header " + token + "\r\n\r\n");
    client.post("/api/v1/auth", nlohmann::json{{"email", user.email}, {"password", wrong}}.dump());
    client.post("/api/v1/auth", R"({"email": 1, "password": ")" + wrong + "\"}");
    client.post("/api/v1/auth", R"({"password": ")" + wrong);
    client.post("/api/v1/auth", nlohmann::json{{"email", user.email}, {"password", wrong}, {wrong, wrong}}.dump());
    // The links of letters, also when nginx itself has something to say.
    for (const auto* path : {"/dashboard/api/reset/", "/dashboard/api/invitation/", "/dashboard/api/email/", "/unsubscribe/"}) {
        const auto link = core::to_hex(core::random_bytes(32));
        remember_secret(link);
        for (const auto* method : {"GET", "PUT", "POST", "BREW"}) client.send({.method = method, .target = path + link});
        announce_much("POST", path + link);
    }
    // What else opens something: sessions, what protects them, and the address that takes one file.
    const auto session = core::to_hex(core::random_bytes(32)), csrf = core::to_hex(core::random_bytes(32));
    remember_secret(session);
    remember_secret(csrf);
    for (const auto* target :
         {"/api/v1/me", "/api/v1/stock", "/dashboard/api/session", "/dashboard/api/tokens", "/nothing", "/%00"})
        for (const auto* method : {"GET", "POST", "PATCH", "BREW"})
            client.send({.method = method,
                         .target = target,
                         .headers = {{"Cookie", "__Host-session=" + session}, {"X-CSRF-Token", csrf}}});
    const auto dealer = add_dealer(stack());
    const auto bytes = pdf("logged");
    const auto ticket = ticket_for(stack(), dealer, bytes, "application/pdf");
    put_bytes(stack(), ticket, bytes + "x");
    client.get(ticket);
    client.get(ticket + "?a=b");
    announce_much("PUT", ticket);
    raw_exchange(stack().site(), "PUT " + ticket + " HTTP/1.1\r\nHost: localhost\r\nBad Header\r\n\r\n");
    put_bytes(stack(), ticket, bytes);
    // Its line is written last.
    BOOST_TEST(stack().served_by(client.get("/healthz").header("x-request-id").value_or("")) != 0);

    BOOST_TEST(logged(stack(), secrets()) == "");
}

BOOST_AUTO_TEST_CASE(each_request_has_one_line_with_its_route) {
    Client client(stack().site());
    const auto id = client.get("/api/v1/jobs/none-of-this-name").header("x-request-id").value_or("");
    BOOST_TEST(stack().served_by(id) != 0);
    const auto log = stack().log("api");
    BOOST_TEST(stack().lines_with("api", "id=" + id + " ") == 1);
    const auto at = log.find("id=" + id + " ");
    const auto line = log.substr(at, log.find('\n', at) - at);
    for (const auto* field : {" method=GET ", " route=/api/v1/jobs/{idOrSlug} ", " status=404 ", " ms=", " db_ms=", " worker="})
        BOOST_TEST(line.find(field) != std::string::npos);
}

// Nothing that any test did may have been a surprise to the application.
BOOST_AUTO_TEST_CASE(no_request_ended_in_500) {
    for (const auto* pool : {"api", "auth"}) BOOST_TEST(stack().lines_with(pool, " status=500 ") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
