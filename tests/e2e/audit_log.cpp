// The audit log (API rules, "Audit log") in the logs of the workers and of tradepostctl, and in /metrics.
#include "core/crypto.h"
#include "e2e/checks.h"
#include "support/prometheus.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

// The line of this event and request in the log of the pool that hashes passwords, from the event on.
std::string line_of(const std::string& event, const std::string& request) {
    BOOST_REQUIRE(stack().served_by(request) != 0);
    const auto log = stack().log("auth");
    for (auto at = log.find("level=info event=audit." + event + " "); at != std::string::npos;
         at = log.find("level=info event=audit." + event + " ", at + 1)) {
        const auto line = log.substr(at, log.find('\n', at) - at);
        if (line.find(" request=" + request + " ") != std::string::npos) return line;
    }
    return {};
}

double counted(const std::string& event) {
    const auto answer = Client(stack().site(), "127.0.0.1").get("/metrics");
    return read_figures(answer.body).at("tradepost_audit_events_total{event=\"" + event + "\"}");
}

struct Attempt {
    std::string address = fresh_address();
    Client client{stack().site(), address};
    // The id of the request, whose line is in the log.
    std::string sign_in(const std::string& email, const std::string& password, int status) {
        const auto answer =
            post_until_served(client, "/api/v1/auth", nlohmann::json{{"email", email}, {"password", password}}.dump());
        BOOST_TEST(answer.status == status);
        if (status == 200) {
            token = answer.json()["data"]["token"];
            remember_secret(token);
        }
        return answer.header("x-request-id").value_or("");
    }
    std::string token;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(audit_log)

BOOST_AUTO_TEST_CASE(lines_of_sign_ins) {
    const auto user = stack().add_user();
    Attempt attempt;
    const auto failed_before = counted("sign_in_failed"), before = counted("sign_in"), minted_before = counted("token_minted");
    const auto good = attempt.sign_in(user.email, user.password, 200), bad = attempt.sign_in(user.email, "wrong password", 401);
    const std::string id = attempt.client.get("/api/v1/me", bearer(attempt.token)).json()["data"]["id"];
    const auto ending = [&](const std::string& request, const std::string& detail) {
        return " organisation=- address=" + attempt.address + " request=" + request + " detail=" + detail;
    };
    BOOST_TEST(line_of("sign_in", good) ==
               "level=info event=audit.sign_in actor=" + id + " user=" + id + " target=-" + ending(good, "API"));
    BOOST_TEST(line_of("sign_in_failed", bad) ==
               "level=info event=audit.sign_in_failed actor=- user=" + id + " target=-" + ending(bad, user.email));
    BOOST_TEST(line_of("token_minted", good)
                   .starts_with("level=info event=audit.token_minted actor=" + id + " user=" + id + " target="));
    BOOST_TEST(counted("sign_in") - before == 1);
    BOOST_TEST(counted("token_minted") - minted_before == 1);
    BOOST_TEST(counted("sign_in_failed") - failed_before == 1);
}

BOOST_AUTO_TEST_CASE(a_client_forges_no_line_and_a_password_in_the_wrong_field_is_not_logged) {
    Attempt attempt;
    const auto forged = core::to_hex(core::random_bytes(6));
    const auto id = attempt.sign_in("x\nlevel=info event=audit.sign_in actor=" + forged + "@example.org", "p", 401);
    BOOST_TEST(line_of("sign_in_failed", id).ends_with(" detail=-"));
    BOOST_TEST(stack().log("auth").find(forged) == std::string::npos);
    const auto typed = attempt.sign_in("a password, " + forged, "anna@example.org", 401);
    BOOST_TEST(line_of("sign_in_failed", typed).ends_with(" detail=-"));
    BOOST_TEST(stack().log("auth").find(forged) == std::string::npos);
}

BOOST_AUTO_TEST_CASE(commands_keep_standard_error_for_errors) {
    const auto user = stack().add_user();
    const auto minted = stack().ctl({"token", "mint", "--email", user.email, "--name", "two words"});
    BOOST_TEST(minted.code == 0);
    remember_secret(minted.out.substr(0, 64));
    BOOST_TEST(minted.out.size() == 65u);
    BOOST_TEST(minted.err == "");
    const auto shown = stack().ctl({"audit", "--user", user.email, "--event", "token_minted", "--json"});
    BOOST_REQUIRE_EQUAL(shown.code, 0);
    const auto events = nlohmann::json::parse(shown.out);
    BOOST_REQUIRE_EQUAL(events.size(), 1u);
    BOOST_TEST(events[0]["detail"] == "two words");
    BOOST_TEST(events[0]["actor"].get<std::string>().starts_with("ctl:"));
    BOOST_TEST(shown.err == "");
}

BOOST_AUTO_TEST_SUITE_END()
