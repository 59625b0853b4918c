// Where the answers of two versions differ, as tradepostctl rehearsal compare prints it.
#include "ctl/rehearsal/rehearsal.h"

using namespace tradepost;

namespace {

std::string between(const std::string& old, const std::string& fresh, const std::string& path = "/api/v1/jobs") {
    const auto answer = [](const std::string& body) { return ctl::RehearsedAnswer{200, "", "application/json", body}; };
    return ctl::difference(path, answer(old), answer(fresh));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rehearsal)

BOOST_AUTO_TEST_CASE(the_first_member_that_differs_is_named) {
    BOOST_TEST(between(R"({"data":[{"a":1}]})", R"({"data":[{"a":1}]})") == "");
    BOOST_TEST(between(R"({"data":[{"a":1}]})", R"({"data":[{"a":2}]})") ==
               "status 200, /data/0/a has another value in the new version");
    BOOST_TEST(between(R"({"data":{}})", R"({"data":{"new":1}})") == "status 200, /data/new is in the new version only");
    BOOST_TEST(between(R"({"data":{"old":1}})", R"({"data":{}})") == "status 200, /data/old is not in the new version");
    BOOST_TEST(between("[]", "oops") == "status 200, the new version's body is not well-formed");
    BOOST_TEST(between("a line", "another") == "status 200, other bytes");
}

BOOST_AUTO_TEST_CASE(what_differs_from_answer_to_answer_is_left_out) {
    BOOST_TEST(between(R"({"tokens":[{"lastUsedAt":"a"}]})", R"({"tokens":[{"lastUsedAt":"b"}]})") == "");
    BOOST_TEST(between(R"({"at":1})", R"({"at":2})", "/api/v1/accounts/failures") == "");
}

BOOST_AUTO_TEST_CASE(status_and_type_are_compared) {
    const ctl::RehearsedAnswer good{200, "", "application/json", "{}"}, away{0, "Timeout was reached", "", ""};
    BOOST_TEST(ctl::difference("/", good, {404, "", "application/json", "{}"}) == "status 200, in the new version 404");
    BOOST_TEST(ctl::difference("/", good, away) == "status 200, in the new version Timeout was reached");
    BOOST_TEST(ctl::difference("/", good, {200, "", "text/plain", "{}"}) ==
               "Content-Type application/json, in the new version text/plain");
}

BOOST_AUTO_TEST_SUITE_END()
