// Sessions of the dashboard, for tests that come as a browser would.
#pragma once
#include "e2e/checks.h"

namespace tradepost::test {

struct Session {
    std::string plain, csrf;
    Headers reading() const { return {{"Cookie", "__Host-session=" + plain}}; }
    Headers writing() const { return {{"Cookie", "__Host-session=" + plain}, {"X-CSRF-Token", csrf}}; }
};

// What the cookie of an answer that begins a session holds.
inline std::string cookie_of(const Answer& answer) {
    const std::string cookie = answer.header("set-cookie").value_or("");
    const std::string name = "__Host-session=", attributes = "; Path=/; Secure; HttpOnly; SameSite=Strict";
    BOOST_REQUIRE_EQUAL(answer.count("set-cookie"), 1u);
    BOOST_REQUIRE_EQUAL(cookie.size(), name.size() + 64 + attributes.size());
    BOOST_REQUIRE((cookie.starts_with(name) && cookie.ends_with(attributes)));
    const auto plain = cookie.substr(name.size(), 64);
    BOOST_REQUIRE(plain.find_first_not_of("0123456789abcdef") == std::string::npos);
    remember_secret(plain);
    return plain;
}

inline Session session_of(const Answer& answer) {
    const auto plain = cookie_of(answer);
    const std::string csrf = answer.json()["data"]["csrfToken"];
    remember_secret(csrf);
    return {plain, csrf};
}

// The session of a sign-in that must succeed.
inline Session begin_session(const User& user, const Headers& headers = {}) {
    Client client(stack().site());
    const auto answer = post_until_served(client, "/dashboard/api/session", sign_in_body(user), headers);
    BOOST_REQUIRE_EQUAL(answer.status, 201);
    return session_of(answer);
}

}  // namespace tradepost::test
