// What every answer must satisfy, and clients of the stack that tests share.
#pragma once
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <regex>
#include <string>
#include <vector>

#include "http/error.h"
#include "support/http_client.h"
#include "support/raw_connection.h"
#include "support/stack.h"
#include "support/threads.h"
#include "support/until_served.h"

namespace tradepost::test {

inline constexpr const char* too_many_requests = "Too many requests. Please try again later.";
inline constexpr const char* too_many_attempts = "Too many attempts. Please try again later.";

inline bool is_request_id(const std::string& id) {
    return !id.empty() && id.size() <= 128 && std::all_of(id.begin(), id.end(), [](unsigned char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' || c == '_' || c == '-';
    });
}

inline constexpr const char* problem_type = "application/problem+json";
inline const Headers wants_problem{{"Accept", problem_type}};

// The headers of every response, nginx's own included (API rules, "Conventions").
inline void check_conventions(const Answer& answer, const std::string& type = "application/json; charset=utf-8") {
    BOOST_TEST(answer.failure == "");
    BOOST_TEST(answer.count("x-request-id") == 1u);
    BOOST_TEST(is_request_id(answer.header("x-request-id").value_or("")));
    BOOST_TEST(answer.count("content-type") == 1u);
    BOOST_TEST(answer.header("content-type").value_or("") == type);
    BOOST_TEST(answer.count("x-content-type-options") == 1u);
    BOOST_TEST(answer.header("x-content-type-options").value_or("") == "nosniff");
    BOOST_TEST(answer.count("content-security-policy") == 1u);
    BOOST_TEST(answer.header("content-security-policy").value_or("") == "default-src 'none'; frame-ancestors 'none'");
    BOOST_TEST(answer.count("server") <= 1u);
    BOOST_TEST(answer.header("server").value_or("nginx") == "nginx");  // no version
}

inline void check_refused(const Answer& answer, int status, const std::string& error) {
    BOOST_TEST(answer.status == status);
    BOOST_TEST(answer.body == "{\"error\":\"" + error + "\"}");
    check_conventions(answer);
}

// The body of a refusal by nginx, for a request that accepts a problem (RFC 9457): the worker's own, byte by byte.
inline void check_problem_body(const Answer& answer, const http::ApiError& error) {
    BOOST_TEST(answer.header("content-type").value_or("") == problem_type);
    std::smatch type;  // each private stack has its own port
    BOOST_REQUIRE_MESSAGE(std::regex_search(answer.body, type, std::regex("\"type\":\"(https://localhost:[0-9]+/docs/errors)#")),
                          answer.body);
    BOOST_TEST(answer.body == http::problem(error, type[1], answer.header("x-request-id").value_or("")).body);
}

inline void check_problem(const Answer& answer, const http::ApiError& error) {
    BOOST_TEST(answer.status == error.status);
    check_problem_body(answer, error);
    check_conventions(answer, problem_type);
}

inline std::string sign_in_body(const User& user) {
    return nlohmann::json{{"email", user.email}, {"password", user.password}}.dump();
}

// The answer to a sign-in. The pool for sign-ins refuses a password that it cannot hash in time.
inline Answer post_until_served(Client& client, const std::string& target, const std::string& json, const Headers& headers = {},
                                Repeats repeats = Repeats::counted) {
    return until_served([&] { return client.post(target, json, headers); }, repeats);
}

// The token of a sign-in that must succeed.
inline std::string sign_in(Client& client, const User& user, Repeats repeats = Repeats::counted) {
    const auto answer = post_until_served(client, "/api/v1/auth", sign_in_body(user), {}, repeats);
    BOOST_REQUIRE_EQUAL(answer.status, 200);
    const std::string token = answer.json()["data"]["token"];
    remember_secret(token);
    return token;
}

}  // namespace tradepost::test
