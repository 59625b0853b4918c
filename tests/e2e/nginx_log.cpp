// nginx's access log: who asked for which path and got what. No query, and nothing of a path that may be a secret or an email address.
#include <regex>

#include "e2e/checks.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

const std::string secret(64, 'a');
const std::string mixed = "MzQ1-_" + std::string(58, 'Z');

// The quoted part and the status of the line with this request id. nginx writes its buffer once a second.
std::string logged(const Answer& answer) {
    const auto end = " id=" + answer.header("x-request-id").value_or("none") + "\n";
    std::string line;
    const bool written = await([&] {
        const auto log = stack().log("access");
        const auto at = log.find(end);
        if (at == std::string::npos) return false;
        line = log.substr(log.rfind('\n', at) + 1);  // from 0 when it is the first line
        line.resize(line.find('\n'));
        return true;
    });
    static const std::regex form("127\\.[0-9.]+ \\[[0-9T:+-]+\\] (\"[^\n]*\" [0-9]{3}) [0-9]+ [0-9.]+ id=[^ ]+");
    std::smatch found;
    if (!written || !std::regex_match(line, found, form)) return "no line";
    return found[1];
}

struct Row {
    std::string sent, logged;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(nginx_log)

BOOST_AUTO_TEST_CASE(a_request_line_is_written_without_query_secrets_and_email_addresses) {
    const std::vector<Row> rows{
        {"GET /healthz HTTP/1.1", "GET /healthz HTTP/1.1\" 200"},
        {"GET /healthz?q=anna.smith%40example.com HTTP/1.1", "GET /healthz? HTTP/1.1\" 200"},
        {"GET /healthz? HTTP/1.1", "GET /healthz? HTTP/1.1\" 200"},
        {"GET /healthz?q=a?b?c HTTP/1.1", "GET /healthz? HTTP/1.1\" 200"},
        {"GET /api/v1/nothing/of/this HTTP/1.1", "GET /api/v1/nothing/of/this HTTP/1.1\" 404"},
        {"GET /api/v1/jobs/01890a5d-ac96-774b-bcce-b302099a8057 HTTP/1.1",
         "GET /api/v1/jobs/01890a5d-ac96-774b-bcce-b302099a8057 HTTP/1.1\" 404"},
        {"GET /api/v1/jobs/a-slug-that-has-more-than-forty-characters-in-all HTTP/1.1",
         "GET /api/v1/jobs/a-slug-that-has-more-than-forty-characters-in-all HTTP/1.1\" 404"},
        {"GET /anna.smith@example.com HTTP/1.1", "GET /- HTTP/1.1\" 404"},
        {"GET /a/anna.smith%40example.com/b?c=d HTTP/1.1", "GET /a/-? HTTP/1.1\" 404"},
        {"GET /api/v1/nothing%3Fq=anna HTTP/1.1", "GET /api/v1/- HTTP/1.1\" 404"},
        {"GET /api/v1/nothing&q=anna HTTP/1.1", "GET /api/v1/- HTTP/1.1\" 404"},
        {"GET /api/v1/nothing;anna HTTP/1.1", "GET /api/v1/- HTTP/1.1\" 404"},
        {"GET /nothing#anna HTTP/1.1", "GET /- HTTP/1.1\" 404"},
        {"GET /unsubscribe/" + secret + " HTTP/1.1", "GET /unsubscribe/- HTTP/1.1\" 404"},
        {"GET /unsubscribe/" + mixed + "/more?a=b HTTP/1.1", "GET /unsubscribe/-? HTTP/1.1\" 404"},
        {"GET /dashboard/api/reset/" + secret + " HTTP/1.1", "GET /dashboard/api/reset/- HTTP/1.1\" 405"},
        {"GET /upload/" + mixed + " HTTP/1.1", "GET /upload/- HTTP/1.1\" 404"},
        {"GET /uploads/aa/" + secret + ".pdf/Anna%20Smith.pdf HTTP/1.1", "GET /uploads/aa/- HTTP/1.1\" 404"},
        {"GET /" + std::string(41, 'a') + " HTTP/1.1", "GET /- HTTP/1.1\" 404"},
        {"GET /" + std::string(40, 'a') + " HTTP/1.1", "GET /" + std::string(40, 'a') + " HTTP/1.1\" 404"},
        {"GET //a//b/ HTTP/1.1", "GET //a//b/ HTTP/1.1\" 404"},
        {"BREW /healthz?q=anna HTTP/1.1", "BREW /healthz? HTTP/1.1\" 405"},
        {"GET https://localhost/healthz?q=anna HTTP/1.1", "GET https://localhost/healthz? HTTP/1.1\" 200"},
        {"GET https://localhost/anna@example.com?q=anna HTTP/1.1", "GET https://localhost/-? HTTP/1.1\" 404"},
        {"GET https://localhost?q=anna HTTP/1.1", "GET /-? HTTP/1.1\" 404"},
        {"GET https://anna:smith@localhost/healthz HTTP/1.1", "GET /- HTTP/1.1\" 400"},
        {"GET /healthz?q=" + std::string(20000, 'x') + " HTTP/1.1", "GET /healthz? HTTP/1.1\" 414"},
        {"GET /" + std::string(20000, 'x') + " HTTP/1.1", "GET /- HTTP/1.1\" 414"},
        // Refused before nginx has an address.
        {"GET /healthz?q=anna smith HTTP/1.1", "GET /healthz? HTTP/1.1\" 400"},
        {"GET /anna smith HTTP/1.1", "GET /anna/- HTTP/1.1\" 400"},
        {"GET /anna\tsmith?q=anna HTTP/1.1", "GET /-? HTTP/1.1\" 400"},
        {"GET /a%00anna HTTP/1.1", "GET /- HTTP/1.1\" 400"},
        {"GET /a%zzanna?b HTTP/1.1", "GET /-? HTTP/1.1\" 400"},
        {"GET /../anna HTTP/1.1", "GET /../anna HTTP/1.1\" 400"},
        {"GET /healthz?q=anna HTTP/9.9", "GET /healthz? HTTP/9.9\" 400"},
        {"GET anna?q=anna HTTP/1.1", "GET /-? HTTP/1.1\" 400"},
        {"GET\t/healthz?q=anna HTTP/1.1", "-\" 400"},
        {"anna.smith@example.com", "-\" 400"},
        {"get /healthz?q=anna HTTP/1.1", "-\" 400"},
        {"\x16\x03\x01\x02q=anna", "-\" 400"},
    };
    std::vector<Answer> answers;
    for (const auto& row : rows)
        answers.push_back(raw_exchange(stack().site(), row.sent +
                                                           "\r\nHost: localhost\r\nConnection: close\r\n"
                                                           "Referer: https://localhost/?q=anna\r\nUser-Agent: anna\r\n\r\n"));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto line = logged(answers[i]);
        BOOST_TEST(line == "\"" + rows[i].logged, rows[i].sent.substr(0, 80) << ": " << line);
    }
}

BOOST_AUTO_TEST_CASE(a_request_of_http_2_or_of_another_host_is_written_in_the_same_way) {
    for (const auto& [target, written] :
         std::vector<std::pair<std::string, std::string>>{{"/healthz?q=anna", "/healthz?"},
                                                          {"/a/anna@example.com?b", "/a/-?"},
                                                          {"/unsubscribe/" + secret, "/unsubscribe/-"}}) {
        Client client(stack().site());
        const auto answer = client.get(target);
        BOOST_TEST(logged(answer) == "\"GET " + written + " HTTP/2.0\" " + std::to_string(answer.status));
        BOOST_TEST(logged(client.send({.target = target, .headers = {{"Host", "other.test"}}})) ==
                   "\"GET " + written + " HTTP/2.0\" 421");
    }
}

BOOST_AUTO_TEST_SUITE_END()
