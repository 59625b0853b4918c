// The dashboard's sessions through nginx, as all workers of both pools see them (API rules, "Dashboard").
#include "db/connection.h"
#include "e2e/session.h"

using namespace tradepost;
using namespace tradepost::test;
using nlohmann::json;

namespace {

constexpr const char* session_path = "/dashboard/api/session";

// Asks every worker of a pool in turn; the statuses.
std::vector<int> everywhere(const std::string& pool, const std::string& target, const Headers& headers) {
    const auto workers = stack().workers(pool);
    std::vector<int> statuses;
    for (const auto worker : workers) {
        auto others = workers;
        std::erase(others, worker);
        const Paused paused(others);
        statuses.push_back(Client(stack().site()).get(target, headers).status);
    }
    return statuses;
}

void check_everywhere(const Session& session, int status) {
    for (const auto& [pool, target] : {std::pair{"api", "/api/v1/me"}, {"api", "/dashboard/api/tokens"}, {"api", session_path}}) {
        const auto statuses = everywhere(pool, target, session.reading());
        BOOST_TEST(statuses == std::vector<int>(statuses.size(), status), boost::test_tools::per_element());
    }
}

int status_of(const Session& session) {
    return Client(stack().site()).get(session_path, session.reading()).status;
}

Answer change_password(const Session& session, const std::string& current, const std::string& next, bool revoke = false) {
    remember_secret(next);
    auto headers = session.writing();
    headers.emplace_back("Content-Type", "application/json");
    const json body{{"currentPassword", current}, {"newPassword", next}, {"revokeTokens", revoke}};
    return Client(stack().site())
        .send({.method = "PUT", .target = "/dashboard/api/password", .headers = headers, .body = body.dump()});
}

void age_sessions(const User& user, std::chrono::seconds by) {
    db::Connection(stack().config().database)
        .execute(
            "UPDATE sessions s JOIN users u ON u.id = s.user_id SET s.last_seen_at = s.last_seen_at - INTERVAL ? SECOND WHERE "
            "u.email = ?",
            {std::int64_t(by.count()), user.email});
}

// The answer to a sign-in from an address of its own.
Answer sign_in_again(const User& user, const Headers& headers = {}) {
    Client client(stack().site());
    return post_until_served(client, session_path, sign_in_body(user), headers);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(dashboard_api)

BOOST_AUTO_TEST_CASE(a_session_works_on_every_worker_and_ends_for_all_at_once) {
    const auto user = stack().add_user();
    const auto session = begin_session(user), other = begin_session(user);
    check_everywhere(session, 200);
    const auto out = Client(stack().site()).send({.method = "DELETE", .target = session_path, .headers = session.writing()});
    BOOST_TEST(out.status == 200);
    BOOST_TEST(out.header("set-cookie").value_or("") == "__Host-session=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0");
    check_conventions(out);
    check_everywhere(session, 401);
    check_everywhere(other, 200);
}

// However many try passwords, those who are signed in go on.
BOOST_AUTO_TEST_CASE(a_session_needs_no_worker_that_hashes) {
    const auto session = begin_session(stack().add_user());
    const Paused paused(stack().workers("auth"));
    Client client(stack().site());
    const auto send = [&](const char* method, const char* target, const Headers& headers) {
        return client.send({.method = method, .target = target, .headers = headers, .timeout = std::chrono::seconds(10)}).status;
    };
    BOOST_TEST(send("GET", session_path, session.reading()) == 200);
    BOOST_TEST(send("GET", "/dashboard/api/tokens", session.reading()) == 200);
    BOOST_TEST(send("GET", "/api/v1/me", session.reading()) == 200);
    BOOST_TEST(send("DELETE", session_path, session.writing()) == 200);
}

// Nobody signs in to a session that somebody else chose, or had before.
BOOST_AUTO_TEST_CASE(signing_in_always_makes_a_new_session) {
    const auto user = stack().add_user();
    const Session chosen{std::string(64, 'a'), ""};
    const auto first = begin_session(user, chosen.reading());
    BOOST_TEST(first.plain != chosen.plain);
    BOOST_TEST(status_of(chosen) == 401);
    const auto second = begin_session(user, first.reading());
    BOOST_TEST(second.plain != first.plain);
    BOOST_TEST(second.csrf != first.csrf);
    BOOST_TEST(status_of(first) == 401);
    BOOST_TEST(status_of(second) == 200);
}

BOOST_AUTO_TEST_CASE(an_idle_session_is_over) {
    const auto user = stack().add_user();
    const auto session = begin_session(user);
    age_sessions(user, std::chrono::hours(12) - std::chrono::minutes(1));
    Client client(stack().site());
    BOOST_TEST(client.get("/api/v1/me", session.reading()).status == 200);
    // That was a use: it is written when the answer is out.
    const auto seconds_left = [&] {
        return db::Connection(stack().config().database)
            .query(
                "SELECT TIMESTAMPDIFF(MINUTE, UTC_TIMESTAMP(), s.last_seen_at + INTERVAL 12 HOUR) FROM sessions s JOIN users u "
                "ON u.id = s.user_id "
                "WHERE u.email = ?",
                {user.email})
            .at(0)
            .integer(0);
    };
    BOOST_TEST(await([&] { return seconds_left() > 600; }));
    BOOST_TEST(status_of(session) == 200);
    age_sessions(user, std::chrono::hours(12));
    check_everywhere(session, 401);
}

BOOST_AUTO_TEST_CASE(the_operator_ends_sessions) {
    auto user = stack().add_user();
    const auto first = begin_session(user);
    user.password = "another " + user.password;
    remember_secret(user.password);
    BOOST_TEST(stack().ctl({"user", "set-password", "--email", user.email, "--password-stdin"}, user.password + "\n").code == 0);
    check_everywhere(first, 401);
    const auto second = begin_session(user);
    BOOST_TEST(stack().ctl({"user", "disable", "--email", user.email}).code == 0);
    check_everywhere(second, 401);
    const auto rows =
        db::Connection(stack().config().database)
            .query("SELECT COUNT(*) FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = ?", {user.email});
    BOOST_TEST(rows.at(0).integer(0) == 0);  // so that a user who is let in again has to sign in
    check_refused(sign_in_again(user), 401, "Invalid credentials");
}

BOOST_AUTO_TEST_CASE(a_minted_token_is_shown_once_and_revoked_for_all_at_once) {
    const auto user = stack().add_user();
    const auto session = begin_session(user);
    Client client(stack().site());
    const auto made = client.post("/dashboard/api/tokens", R"({"name":"Feed"})", session.writing());
    BOOST_REQUIRE_EQUAL(made.status, 201);
    check_conventions(made);
    BOOST_TEST(made.header("cache-control").value_or("") == "no-store");
    const std::string token = made.json()["data"]["token"], id = made.json()["data"]["id"];
    remember_secret(token);
    BOOST_TEST(made.header("location").value_or("") == "/dashboard/api/tokens/" + id);
    auto statuses = everywhere("api", "/api/v1/me", bearer(token));
    BOOST_TEST(statuses == std::vector<int>(statuses.size(), 200), boost::test_tools::per_element());
    const auto listed = client.get("/dashboard/api/tokens", session.reading());
    BOOST_TEST(listed.body.find(token) == std::string::npos);
    BOOST_TEST(listed.json()["data"]["tokens"].size() == 1u);

    BOOST_TEST(client.send({.method = "DELETE", .target = "/dashboard/api/tokens/" + id, .headers = session.writing()}).status ==
               200);
    statuses = everywhere("api", "/api/v1/me", bearer(token));
    BOOST_TEST(statuses == std::vector<int>(statuses.size(), 401), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(another_password_leaves_one_session_of_many) {
    const auto user = stack().add_user();
    const auto session = begin_session(user), elsewhere = begin_session(user);
    const auto token = stack().mint(user);
    const auto changed = change_password(session, user.password, "another " + user.password);
    BOOST_REQUIRE_EQUAL(changed.status, 200);
    check_conventions(changed);
    const auto after = session_of(changed);
    BOOST_TEST(after.csrf != session.csrf);
    check_everywhere(session, 401);
    check_everywhere(elsewhere, 401);
    check_everywhere(after, 200);
    BOOST_TEST(Client(stack().site()).get("/api/v1/me", bearer(token)).status == 200);
    BOOST_TEST(change_password(after, "another " + user.password, user.password, true).status == 200);
    BOOST_TEST(Client(stack().site()).get("/api/v1/me", bearer(token)).status == 401);
}

BOOST_AUTO_TEST_CASE(of_parallel_password_changes_one_succeeds) {
    const auto user = stack().add_user();
    const auto session = begin_session(user), elsewhere = begin_session(user);
    const auto next = [&](std::size_t i) { return user.password + " " + std::to_string(i); };
    const auto answers = in_parallel<Answer>(
        8, [&](std::size_t i) { return change_password(i % 2 ? session : elsewhere, user.password, next(i)); });
    std::size_t succeeded = 0;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        if (answers[i].status != 200) {
            check_refused(answers[i], 401, "Unauthorized");
            continue;
        }
        ++succeeded;
        BOOST_TEST(status_of(session_of(answers[i])) == 200);
        BOOST_TEST(sign_in_again({user.email, next(i)}).status == 201);
    }
    BOOST_TEST(succeeded == 1u);
    BOOST_TEST(status_of(session) == 401);
    BOOST_TEST(status_of(elsewhere) == 401);
}

BOOST_AUTO_TEST_CASE(sign_in_is_limited_together_with_the_exchange_for_tokens) {
    const auto user = stack().add_user();
    Client client(stack().site());
    const json wrong{{"email", user.email}, {"password", "wrong"}};
    for (int i = 0; i < 4; ++i) {
        BOOST_TEST(post_until_served(client, session_path, wrong.dump()).status == 401);
        BOOST_TEST(post_until_served(client, "/api/v1/auth", wrong.dump()).status == 401);
    }
    const auto refused = post_until_served(client, session_path, sign_in_body(user));
    check_refused(refused, 429, too_many_attempts);
    const int wait = std::stoi(refused.header("retry-after").value_or("0"));
    BOOST_TEST((wait >= 1 && wait <= 900));
    BOOST_TEST(refused.header("ratelimit-limit").value_or("") == "8");
    BOOST_TEST(sign_in_again(user).status == 201);
}

BOOST_AUTO_TEST_CASE(a_page_of_another_origin_signs_nobody_in) {
    const auto user = stack().add_user();
    const auto post = [&](const std::string& origin) { return sign_in_again(user, {{"Origin", origin}}); };
    check_refused(post("https://elsewhere.example"), 403, "Forbidden");
    check_refused(post("null"), 403, "Forbidden");
    BOOST_TEST(post(stack().site().url).status == 201);
    // Called by address, which the certificate is for as well.
    Site by_address = stack().site();
    by_address.url = "https://127.0.0.1:" + std::to_string(by_address.port());
    Client client(by_address);
    const auto answer = post_until_served(client, session_path, sign_in_body(user), {{"Origin", by_address.url}});
    BOOST_TEST(answer.status == 201);
}

BOOST_AUTO_TEST_CASE(everything_beneath_answers_in_json) {
    Client client(stack().site());
    for (const char* target :
         {"/dashboard/api", "/dashboard/api/", "/dashboard/api/nothing", "/dashboard/api/session/", "/dashboard/api/tokens/a/b"})
        check_refused(client.get(target), 404, "Not found");
    check_refused(client.get("/dashboard/api/tokens"), 401, "Unauthorized");
    const std::string large = R"({"name":")" + std::string(2 << 20, 'x') + "\"}";
    check_refused(client.post("/dashboard/api/tokens", large), 413, "Request body too large");
    for (const auto& [target, allow] : {std::pair{session_path, "GET, HEAD, POST, DELETE, OPTIONS"},
                                        {"/dashboard/api/tokens", "GET, HEAD, POST, OPTIONS"},
                                        {"/dashboard/api/password", "PUT, OPTIONS"}})
        for (const char* method : {"PATCH", "TRACE"}) {
            const auto answer = client.send({.method = method, .target = target});
            check_refused(answer, 405, "Method not allowed");
            BOOST_TEST(answer.header("allow").value_or("") == allow);
        }
}

BOOST_AUTO_TEST_SUITE_END()
