#include "identity/tokens/bearer.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using tradepost::identity::bearer_token;
using tradepost::identity::is_bearer;

namespace {
const std::string token = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
}

BOOST_AUTO_TEST_SUITE(bearer)

BOOST_AUTO_TEST_CASE(the_scheme_has_no_case) {
    for (const char* scheme : {"Bearer ", "bearer ", "BEARER ", "bEaReR ", "Bearer    ", " Bearer ", "\t Bearer "})
        BOOST_TEST_CONTEXT(scheme) BOOST_TEST((bearer_token(scheme + token) == token));
    BOOST_TEST((bearer_token("Bearer " + token + " \t") == token));
}

BOOST_AUTO_TEST_CASE(anything_else_is_no_token) {
    BOOST_TEST(!bearer_token({}));
    std::string upper = token, other = token, nul = token;
    upper[10] = 'A';
    other[63] = 'g';
    nul[5] = '\0';
    for (const std::string& field : {std::string(),
                                     std::string(" "),
                                     std::string("Bearer"),
                                     std::string("Bearer "),
                                     token,
                                     "Bearer" + token,
                                     "Bearer\t" + token,
                                     "Basic " + token,
                                     "Token " + token,
                                     "Bearer:" + token,
                                     "Bearer " + token + "0",
                                     "Bearer " + token.substr(1),
                                     "Bearer " + upper,
                                     "Bearer " + other,
                                     "Bearer " + nul,
                                     "Bearer " + token + ", Bearer " + token,
                                     "Bearer " + token.substr(32) + " " + token.substr(32),
                                     "Bearer \"" + token + "\"",
                                     "BearerX " + token,
                                     "Beare " + token}) {
        BOOST_TEST_CONTEXT(field) BOOST_TEST(!bearer_token(field));
    }
}

// Whoever sends one of these means a token; whoever sends another scheme does not.
BOOST_AUTO_TEST_CASE(a_bearer_field_without_a_sound_token) {
    for (const std::string& field : {"Bearer " + token, std::string("Bearer"), std::string(" bearer "), std::string("BEARER x"),
                                     "Bearer  " + token + "0", std::string("Bearer a, b")})
        BOOST_TEST_CONTEXT(field) BOOST_TEST(is_bearer(field));
    BOOST_TEST(!is_bearer({}));
    for (const std::string& field : {std::string(), std::string(" "), token, "Bearer" + token, "Bearer\t" + token,
                                     "Bearer:" + token, "BearerX " + token, "Basic " + token, std::string("Beare")})
        BOOST_TEST_CONTEXT(field) BOOST_TEST(!is_bearer(field));
}

BOOST_AUTO_TEST_SUITE_END()
