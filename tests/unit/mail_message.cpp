// What stands in a letter's headers, and that nothing in a value gets out of its header.
#include "mail/message.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using namespace tradepost;
using namespace tradepost::mail;

namespace {

mail::Message letter() {
    mail::Message message;
    message.id = *core::Uuid::parse("0195f0a0-0000-7000-8000-000000000001");
    message.to = {"Max Mechanic", "max@ashford.example"};
    message.subject = "Hello";
    return message;
}

const core::Time now = *core::parse_rfc3339("2026-03-01T12:00:00Z");

}  // namespace

BOOST_AUTO_TEST_SUITE(mail_message)

BOOST_AUTO_TEST_CASE(headers) {
    auto message = letter();
    message.reply_to = Mailbox{"", "ada@a.example"};
    message.unsubscribe_url = "https://a.example/unsubscribe/x";
    const std::vector<std::string> expected{
        "Date: Sun, 01 Mar 2026 12:00:00 +0000",
        "From: Tradepost <post@trade.example>",
        "To: Max Mechanic <max@ashford.example>",
        "Subject: Hello",
        "Message-ID: <0195f0a0-0000-7000-8000-000000000001@trade.example>",
        "Auto-Submitted: auto-generated",
        "Reply-To: ada@a.example",
        "List-Unsubscribe: <https://a.example/unsubscribe/x>",
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
    };
    BOOST_TEST(header_lines(message, {"Tradepost", "post@trade.example"}, now, false) == expected,
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(text_that_is_not_plain_is_encoded) {
    BOOST_TEST(header_text("Plain, with a comma (and more)") == "Plain, with a comma (and more)");
    BOOST_TEST(header_text("Größe 1") == "=?UTF-8?Q?Gr=C3=B6=C3=9Fe_1?=");
    BOOST_TEST(header_text("=?UTF-8?Q?x?=") == "=?UTF-8?Q?=3D=3FUTF=2D8=3FQ=3Fx=3F=3D?=");
    BOOST_TEST(header_text("a\xff") == "a?");
}

// No line is longer than 76 characters, and no character is divided between words.
BOOST_AUTO_TEST_CASE(long_text_is_folded) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += "🚐";
    const auto folded = header_text(text);
    std::size_t at = 0, words = 0;
    for (;;) {
        const auto end = folded.find("\r\n ", at);
        const auto word = folded.substr(at, end == std::string::npos ? end : end - at);
        BOOST_TEST(word.size() <= 75u);
        BOOST_TEST((word.size() - 12) % 12 == 0u, word);
        ++words;
        if (end == std::string::npos) break;
        at = end + 3;
    }
    BOOST_TEST(words == 8u);
}

BOOST_AUTO_TEST_CASE(no_value_ends_its_line) {
    auto message = letter();
    message.subject = "One\r\nBcc: all@a.example";
    message.to.name = "Max\r\n\r\nText";
    message.reply_to = Mailbox{"Eve <eve@a.example>\nX: y", "ada@a.example"};
    for (const auto& line : header_lines(message, {"", "post@trade.example"}, now, false))
        BOOST_TEST(line.find_first_of("\r\n") == std::string::npos, line);
    message.subject += "ö";
    for (const auto& line : header_lines(message, {"", "post@trade.example"}, now, false))
        BOOST_TEST(line.find("Bcc:") == line.npos, line);
    BOOST_TEST(header_mailbox({"Smith, \"Jo\"", "a@b.example"}) == "=?UTF-8?Q?Smith=2C_=22Jo=22?= <a@b.example>");
}

BOOST_AUTO_TEST_CASE(a_letter_has_two_parts_in_lines_of_76_characters) {
    auto message = letter();
    message.text = "Größe = 1 \r\nend\t\n" + std::string(80, 'x') + "\n.\n";
    message.html = "<p>";
    const auto text = content(message, {"Tradepost", "post@trade.example"}, now, false);
    const std::string boundary = "=_0195f0a0-0000-7000-8000-000000000001";
    BOOST_TEST(text.substr(text.find("Auto-Submitted")) ==
               "Auto-Submitted: auto-generated\r\nMIME-Version: 1.0\r\n"
               "Content-Type: multipart/alternative; boundary=\"" +
                   boundary + "\"\r\n\r\n--" + boundary +
                   "\r\nContent-Type: text/plain; charset=utf-8\r\n"
                   "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
                   "Gr=C3=B6=C3=9Fe =3D 1=20\r\nend=09\r\n" +
                   std::string(75, 'x') + "=\r\nxxxxx\r\n.\r\n\r\n--" + boundary +
                   "\r\nContent-Type: text/html; charset=utf-8\r\n"
                   "Content-Transfer-Encoding: quoted-printable\r\n\r\n<p>\r\n--" +
                   boundary + "--\r\n");
}

BOOST_AUTO_TEST_CASE(mailboxes_as_they_are_configured) {
    BOOST_TEST(parse_mailbox("Trade Post <post@a.example>").value().name == "Trade Post");
    BOOST_TEST(parse_mailbox(" Trade Post <post@a.example> ").value().address == "post@a.example");
    BOOST_TEST(parse_mailbox("post@a.example").value().name == "");
    for (const char* bad :
         {"", "post", "Post <post>", "Post <post@a.example", "\"Post\" <post@a.example>", "a <b@c.example> <d@e.example>"})
        BOOST_TEST(!parse_mailbox(bad), bad);
}

BOOST_AUTO_TEST_SUITE_END()
