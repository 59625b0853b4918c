// Tokens (API rules, "Tokens"): every worker sees a change on its next request.
#include <atomic>

#include "e2e/checks.h"

using namespace tradepost::test;

namespace {

// Asks /me of every worker of the pool in turn; the statuses.
std::vector<int> everywhere(const std::string& token) {
    const auto workers = stack().workers();
    std::vector<int> statuses;
    for (const auto worker : workers) {
        auto others = workers;
        std::erase(others, worker);
        const Paused paused(others);
        const auto answer = Client(stack().site()).get("/api/v1/me", bearer(token));
        if (answer.status == 401) check_refused(answer, 401, "Unauthorized");
        statuses.push_back(answer.status);
    }
    return statuses;
}

void check_everywhere(const std::string& token, int status) {
    const auto statuses = everywhere(token);
    BOOST_TEST(statuses == std::vector<int>(statuses.size(), status), boost::test_tools::per_element());
}

nlohmann::json tokens_of(const User& user) {
    return nlohmann::json::parse(stack().ctl({"token", "list", "--email", user.email, "--json"}).out);
}

std::size_t active(const User& user) {
    const auto all = tokens_of(user);
    return std::size_t(std::count_if(all.begin(), all.end(), [](const auto& token) { return token["active"] == true; }));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tokens)

BOOST_AUTO_TEST_CASE(a_minted_token_works_on_every_worker_at_once) {
    const auto user = stack().add_user();
    Client client(stack().site());
    check_everywhere(stack().mint(user), 200);
    check_everywhere(sign_in(client, user), 200);
}

BOOST_AUTO_TEST_CASE(a_revoked_token_is_refused_by_every_worker_at_once) {
    const auto user = stack().add_user();
    Client client(stack().site());
    const auto first = sign_in(client, user), second = sign_in(client, user);
    check_everywhere(first, 200);
    check_everywhere(second, 200);

    const auto deleted = client.send({.method = "DELETE", .target = "/api/v1/auth", .headers = bearer(first)});
    BOOST_TEST(deleted.status == 200);
    BOOST_TEST(deleted.json()["data"]["deleted"] == true);
    check_everywhere(first, 401);
    check_everywhere(second, 200);

    const std::string id = client.get("/api/v1/me", bearer(second)).json()["data"]["token"]["id"];
    BOOST_TEST(stack().ctl({"token", "revoke", "--id", id}).code == 0);
    check_everywhere(second, 401);
}

BOOST_AUTO_TEST_CASE(a_disabled_user_is_out_at_once) {
    const auto user = stack().add_user();
    const auto token = stack().mint(user);
    check_everywhere(token, 200);
    BOOST_TEST(stack().ctl({"user", "disable", "--email", user.email}).code == 0);
    check_everywhere(token, 401);
    Client client(stack().site());
    check_refused(post_until_served(client, "/api/v1/auth", sign_in_body(user)), 401, "Invalid credentials");
}

BOOST_AUTO_TEST_CASE(parallel_sign_ins_leave_the_ten_newest) {
    const auto user = stack().add_user();
    const auto old = stack().mint(user);
    const auto minted = in_parallel<std::string>(20, [&](std::size_t) {
        Client client(stack().site());
        const auto answer = post_until_served(client, "/api/v1/auth", sign_in_body(user), {}, Repeats::expected);
        return answer.status == 200 ? answer.json()["data"]["token"].get<std::string>() : std::string();
    });
    std::size_t usable = 0;
    Client client(stack().site());
    for (const auto& token : minted) {
        BOOST_TEST(token.size() == 64u);
        remember_secret(token);
        usable += client.get("/api/v1/me", bearer(token)).status == 200;
    }
    BOOST_TEST(usable == 10u);
    BOOST_TEST(active(user) == 10u);
    check_everywhere(old, 401);
}

BOOST_AUTO_TEST_CASE(last_use_is_noted_once) {
    const auto user = stack().add_user();
    const auto token = stack().mint(user);
    const auto last_use = [&] { return tokens_of(user)[0]["lastUsedAt"]; };
    BOOST_TEST(last_use().is_null());
    Client client(stack().site());
    BOOST_TEST(client.get("/api/v1/me", bearer(token)).status == 200);
    BOOST_REQUIRE(await([&] { return !last_use().is_null(); }));  // it is written when the answer is out
    const auto first = last_use();
    for (int i = 0; i < 20; ++i) client.get("/api/v1/me", bearer(token));
    check_everywhere(token, 200);
    BOOST_TEST(last_use() == first);
}

// Hashing has a pool of its own: however many guess passwords, reads are answered.
BOOST_AUTO_TEST_CASE(a_storm_of_sign_ins_does_not_starve_reads) {
    const auto user = stack().add_user();
    std::atomic<bool> stop{false};
    std::atomic<int> refused{0};
    std::vector<Thread> storm;
    for (int i = 0; i < 16; ++i)
        storm.emplace_back(
            [&, i] {
                while (!stop) {
                    Client client(stack().site());
                    const auto email = i % 2 ? user.email : "nobody-" + client.address() + "@tradepost.example";
                    refused +=
                        client.post("/api/v1/auth", nlohmann::json{{"email", email}, {"password", "wrong"}}.dump()).status == 401;
                }
            },
            [&] { stop = true; });
    const bool raging = await([&] { return refused >= 16; });
    Client client(stack().site());
    std::vector<Answer> answers;
    const int before = refused;
    for (int i = 0; i < 50; ++i)
        answers.push_back(client.send(
            {.target = "/api/v1/jobs?limit=20&page=" + std::to_string(1 + i % 10), .timeout = std::chrono::seconds(10)}));
    const bool still_raging = await([&] { return refused > before; });
    stop = true;
    for (auto& thread : storm) thread.join();
    BOOST_TEST(raging);
    BOOST_TEST(still_raging);
    for (const auto& answer : answers) BOOST_TEST(answer.status == 200);
}

BOOST_AUTO_TEST_SUITE_END()
