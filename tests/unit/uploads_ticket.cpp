// Base64 and the tickets that are written in it.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "core/base64.h"
#include "core/crypto.h"
#include "resources/uploads/upload.h"
#include "support/pictures.h"

using namespace tradepost;
using namespace tradepost::uploads;
using namespace std::string_literals;

BOOST_AUTO_TEST_SUITE(uploads_ticket)

// RFC 4648, section 10.
BOOST_AUTO_TEST_CASE(base64_vectors) {
    const std::pair<std::string, std::string> vectors[] = {{"", ""},
                                                           {"f", "Zg=="},
                                                           {"fo", "Zm8="},
                                                           {"foo", "Zm9v"},
                                                           {"foob", "Zm9vYg=="},
                                                           {"fooba", "Zm9vYmE="},
                                                           {"foobar", "Zm9vYmFy"}};
    for (const auto& [bytes, text] : vectors) {
        BOOST_TEST(core::from_base64(text).value() == bytes);
        BOOST_TEST(core::to_base64(bytes) == text);
        BOOST_TEST(core::to_base64url(bytes) == text.substr(0, text.find('=')));
        BOOST_TEST(core::from_base64url(core::to_base64url(bytes)).value() == bytes);
    }
    std::string all;
    for (int i = 0; i < 256; ++i) all += char(i);
    BOOST_TEST(core::from_base64(test::base64(all)).value() == all);
    BOOST_TEST(core::from_base64url(core::to_base64url(all)).value() == all);
}

BOOST_AUTO_TEST_CASE(base64_is_strict) {
    for (const std::string& text : {"Zg"s, "Zg="s, "Zg==="s, "Zg==Zg=="s, "Zm9v\n"s, "Zm 9"s, " Zm9v"s, "Zh=="s, "Zm9="s, "Zm-_"s,
                                    "===="s, "="s, "Zm9\0"s, "Zm9\xc3"s, "Z==="s, "Zg=a"s})
        BOOST_TEST(!core::from_base64(text), text);
    for (const std::string& text : {"Zg=="s, "Zh"s, "Zm9+"s, "Z"s}) BOOST_TEST(!core::from_base64url(text), text);
}

BOOST_AUTO_TEST_CASE(a_ticket_is_bound_to_all_that_was_announced) {
    const std::string key(32, 'k');
    const auto made = *core::parse_rfc3339("2026-03-01T12:00:00Z");
    uploads::Upload upload;
    upload.id = core::Uuid::v7(made);
    upload.created_at = made;
    upload.sent_size = 1000;
    upload.sent_hash = core::sha256("x");
    const auto ticket = make_ticket(key, upload);
    BOOST_TEST(ticket.size() == 64u);
    BOOST_TEST((ticket_upload_id(ticket) == upload.id));
    BOOST_TEST(verify_ticket(key, ticket, upload, made));
    BOOST_TEST(verify_ticket(key, ticket, upload, made + std::chrono::minutes(15) - core::milliseconds(1)));
    BOOST_TEST(!verify_ticket(key, ticket, upload, made + std::chrono::minutes(15)));
    BOOST_TEST(!verify_ticket(std::string(32, 'l'), ticket, upload, made));
    BOOST_TEST(!verify_ticket(key, ticket.substr(1), upload, made));

    auto other = upload;
    other.sent_size = 1001;
    BOOST_TEST(!verify_ticket(key, ticket, other, made));
    other = upload;
    other.sent_hash = core::sha256("y");
    BOOST_TEST(!verify_ticket(key, ticket, other, made));
    other = upload;
    other.id = core::Uuid::v7(made);
    BOOST_TEST(!verify_ticket(key, ticket, other, made));
    other = upload;
    other.created_at += core::milliseconds(1);
    BOOST_TEST(!verify_ticket(key, ticket, other, made));
    other = upload;
    other.sent_hash.reset();
    BOOST_TEST(!verify_ticket(key, ticket, other, made));

    for (const std::string& text : {""s, std::string(63, 'A'), std::string(65, 'A'), std::string(63, 'A') + "="})
        BOOST_TEST(!ticket_upload_id(text));
}

BOOST_AUTO_TEST_SUITE_END()
