// Email addresses and web addresses: what every place that reads one makes of it, and how they go out.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base64.h"
#include "core/config.h"
#include "core/email.h"
#include "core/host.h"
#include "core/url.h"
#include "fields/json.h"
#include "identity/organisations/organisation.h"
#include "identity/people/user_writer.h"
#include "mail/message.h"
#include "net/client.h"
#include "push/key.h"
#include "push/vapid.h"
#include "resource/description.h"
#include "resources/enquiries/enquiry.h"
#include "resources/jobs/job.h"
#include "webhooks/webhook.h"

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

using namespace tradepost;

namespace {

struct Address {
    const char *written, *read, *sent;  // read: null when it is refused. sent: the form on the wire
    bool ascii = true;
};

const Address addresses[] = {
    {"a@b.example", "a@b.example", "a@b.example"},
    {" \t a@b.example\r\n", "a@b.example", "a@b.example"},
    {"O'Brien+tag@B.Example", "O'Brien+tag@B.Example", "O'Brien+tag@B.Example"},
    {"a..b@docomo.ne.jp", "a..b@docomo.ne.jp", "\"a..b\"@docomo.ne.jp"},
    {".a@docomo.ne.jp", ".a@docomo.ne.jp", "\".a\"@docomo.ne.jp"},
    {"a.@docomo.ne.jp", "a.@docomo.ne.jp", "\"a.\"@docomo.ne.jp"},
    {"a.b@docomo.ne.jp", "a.b@docomo.ne.jp", "a.b@docomo.ne.jp"},
    {"a\\b(c):;[d]@b.example", "a\\b(c):;[d]@b.example", "\"a\\\\b(c):;[d]\"@b.example"},
    {"!#$%&'*+-/=?^_`{|}~@b.example", "!#$%&'*+-/=?^_`{|}~@b.example", "!#$%&'*+-/=?^_`{|}~@b.example"},
    {"a@Bücher.example", "a@Bücher.example", "a@xn--bcher-kva.example"},
    {"a@ｂücher。example", "a@ｂücher。example", "a@xn--bcher-kva.example"},
    {"a@xn--bcher-kva.example", "a@xn--bcher-kva.example", "a@xn--bcher-kva.example"},
    {"jürgen@bücher.example", "jürgen@bücher.example", "jürgen@xn--bcher-kva.example", false},
    {"jü..rgen@b.example", "jü..rgen@b.example", "\"jü..rgen\"@b.example", false},
    {"", nullptr, nullptr},
    {"a", nullptr, nullptr},
    {"@b.example", nullptr, nullptr},
    {"a@b@c.example", nullptr, nullptr},
    {"a b@c.example", nullptr, nullptr},
    {"a\u00a0b@c.example", nullptr, nullptr},
    {"\u3000a@c.example", nullptr, nullptr},
    {"a\u0085@c.example", nullptr, nullptr},
    {"a@b.example.", nullptr, nullptr},
    {"a@b..example", nullptr, nullptr},
    {"a@☕.example", nullptr, nullptr},
    {"a@b_ü.example", nullptr, nullptr},
    {"a@-ü.example", nullptr, nullptr},
    {"a@ü／b.example", nullptr, nullptr},
    {"\"a\"@b.example", nullptr, nullptr},
    {"a,b@c.example", nullptr, nullptr},
    {"<a@b.example>", nullptr, nullptr},
};

// What a field with an address makes of it; "refused" when it takes it for none.
template <class T>
std::string by_field(std::span<const fields::Field<T>> all, std::string_view name, std::string T::*member, const char* text) try {
    T into;
    std::vector<fields::Field<T>> one;
    for (const auto& field : all)
        if (field.name == name) one.push_back(field);
    BOOST_REQUIRE(one.size() == 1u);
    fields::read_fields<T>(json::Json{{std::string(name), text}}, one, into, fields::Reading::change);
    return into.*member;
} catch (const http::ApiError& error) {
    BOOST_TEST(error.external == "Invalid field: " + std::string(name) + ": must be an email address");
    return "refused";
}
template <class T>
std::string by_field(std::span<const fields::Field<T>> all, std::string_view name, std::optional<std::string> T::*member,
                     const char* text) try {
    T into;
    fields::read_fields<T>(json::Json{{std::string(name), text}}, all, into, fields::Reading::change);
    return (into.*member).value();
} catch (const http::ApiError& error) {
    BOOST_TEST(error.external == "Invalid field: " + std::string(name) + ": must be an email address");
    return "refused";
}

// The address in [mail] from, as letters have it.
std::string by_setting(const std::string& text) {
    const auto folder = std::filesystem::temp_directory_path() / ("tradepost-unit-" + std::to_string(getpid()) + "-wire");
    std::filesystem::create_directories(folder);
    const auto file = (folder / "shop.toml").string();
    std::ofstream(file) << "[mail]\nsmtp = \"smtp://localhost\"\nfrom = " << json::Json(text).dump() << "\n";
    const auto mail = core::load_config(file).mail;
    std::filesystem::remove_all(folder);
    return mail.fault.empty() ? core::parse_mailbox(mail.from).value().address : "refused";
}

std::string sent_header(const std::vector<std::string>& lines, std::string_view name) {
    for (const auto& line : lines)
        if (line.starts_with(name)) return line.substr(name.size());
    return "none";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(wire_forms)

BOOST_AUTO_TEST_CASE(each_place_reads_an_address_alike) {
    for (const auto& row : addresses) {
        const std::string wanted = row.read ? row.read : "refused";
        BOOST_TEST_CONTEXT(row.written) {
            BOOST_TEST(core::parse_email(row.written).value_or("refused") == wanted);
            BOOST_TEST(by_field(identity::user_fields(), "email", &identity::User::email, row.written) == wanted);
            BOOST_TEST(by_field(identity::organisation_fields(), "email", &identity::Organisation::email, row.written) == wanted);
            BOOST_TEST(by_field(jobs::Job::described().fields, "applyEmail", &jobs::Job::apply_email, row.written) == wanted);
            BOOST_TEST(by_field(enquiries::sent_fields(), "email", &enquiries::Enquiry::email, row.written) == wanted);
            if (std::string_view(row.written).empty() || row.written[0] == '<')
                continue;  // of a mailbox the brackets are its own
            BOOST_TEST(by_setting(row.written) == wanted);
            BOOST_TEST(by_setting("Shop <" + std::string(row.written) + ">") == wanted);
        }
    }
}

BOOST_AUTO_TEST_CASE(each_place_sends_an_address_alike) {
    for (const auto& row : addresses) {
        BOOST_TEST_CONTEXT(row.written) {
            const auto sent = core::wire_email(row.written);
            BOOST_TEST(sent.has_value() == (row.sent != nullptr));
            if (!sent) continue;
            BOOST_TEST(sent->text() == row.sent);
            BOOST_TEST(sent->is_ascii == row.ascii);
            mail::Message letter;
            letter.to = {"", row.written};
            letter.reply_to = core::Mailbox{"Sam", row.written};
            const std::string domain = std::string(row.sent).substr(std::string(row.sent).rfind('@'));
            for (const bool smtputf8 : {true, false}) {
                const auto lines = mail::header_lines(letter, {"Shop", row.written}, core::Time(), smtputf8);
                BOOST_TEST(sent_header(lines, "To: ") == row.sent);
                BOOST_TEST(sent_header(lines, "From: ") == "Shop <" + std::string(row.sent) + ">");
                BOOST_TEST(sent_header(lines, "Message-ID: ").ends_with(domain + ">"));
                const auto reply_to = smtputf8 || row.ascii ? "Sam <" + std::string(row.sent) + ">" : "none";
                BOOST_TEST(sent_header(lines, "Reply-To: ") == reply_to);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(names_in_ascii) {
    BOOST_TEST(core::ascii_name("Shop.Example").value() == "Shop.Example");
    BOOST_TEST(core::ascii_name("faß.example.").value() == "xn--fa-hia.example.");
    BOOST_TEST(core::ascii_name("日本語.jp").value() == "xn--wgv71a119e.jp");
    // An A-label has at most 63 characters.
    std::string label;
    for (int i = 0; i < 50; ++i) label += "ü";
    BOOST_TEST(core::ascii_name(label + ".example").has_value());
    for (int i = 0; i < 13; ++i) label += "ü";
    for (const std::string& bad :
         {label + ".example", std::string("b\xff.example"), std::string("ü\0.example", 11), std::string("\u00ad")})
        BOOST_TEST(!core::ascii_name(bad), bad);
    BOOST_TEST(core::is_public_name("bücher.example"));
    BOOST_TEST(!core::is_public_name("bücher"));
    BOOST_TEST(!core::is_public_name("bücher.LOCALHOST"));
    BOOST_TEST(!core::is_public_name("１２７.0.0.1"));
}

struct Url {
    const char *written, *sent;  // sent: null when it has no form in ASCII
    bool taken = true;           // by fields
};

const Url urls[] = {
    {"https://shop.example/a?b#c", "https://shop.example/a?b#c"},
    {"https://bücher.example", "https://xn--bcher-kva.example"},
    {"https://BÜCHER.example:8443/große?q=ü#ü", "https://xn--bcher-kva.example:8443/gro%C3%9Fe?q=%C3%BC#%C3%BC"},
    {"https://shop.example/größe", "https://shop.example/gr%C3%B6%C3%9Fe"},
    {"https://shop.example?größe=%C3%B6", "https://shop.example?gr%C3%B6%C3%9Fe=%C3%B6"},
    {"https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"},
    {"https://☕.example/", nullptr, false},
    {"https://ü_b.example/", nullptr, false},
    {"https://ü／b.example/", nullptr, false},
    {"https://ü%2Fb.example/", nullptr, false},
    {"https://ü b.example/", nullptr, false},
    {"https://ü..example/", nullptr, false},
    {"/ü", nullptr, false},
    // Not from clients, but from redirects and settings.
    {"https://u:p@bücher.example/", "https://u:p@xn--bcher-kva.example/", false},
    {"https://[2001:db8::1]:8443/ü", "https://[2001:db8::1]:8443/%C3%BC", false},
    {"file:///etc/passwd", "file:///etc/passwd", false},
};

BOOST_AUTO_TEST_CASE(web_addresses_go_out_in_ascii_and_stay_as_written) {
    for (const auto& row : urls) {
        BOOST_TEST_CONTEXT(row.written) {
            BOOST_TEST(core::wire_url(row.written).value_or("none") == (row.sent ? row.sent : "none"));
            BOOST_TEST(!fields::fault(fields::rules::of(fields::Kind::https_url), row.written).has_value() == row.taken);
            if (!row.taken) continue;
            webhooks::Webhook webhook;
            const json::Json body{{"url", row.written}};
            fields::read_fields(body, webhooks::webhook_fields(), webhook, fields::Reading::change);
            BOOST_TEST(webhook.url == row.written);
        }
    }
}

// Whatever sends a request, the one client writes its address.
BOOST_AUTO_TEST_CASE(an_address_without_a_form_in_ascii_is_refused_at_once) {
    const net::Rules rules;
    for (const auto* text : {"https://☕.invalid/", "https://ü_b.invalid/", "https://ü..invalid/"}) {
        const auto answer = net::perform(rules, {.url = text});
        BOOST_TEST(answer.refused, text);
        BOOST_TEST(!answer.failure.empty(), text);
    }
}

BOOST_AUTO_TEST_CASE(links_and_contacts_go_out_in_ascii) {
    mail::Message letter;
    letter.to.address = "a@b.example";
    letter.unsubscribe_url = "https://bücher.example/unsubscribe/x";
    const auto lines = mail::header_lines(letter, {"", "a@b.example"}, core::Time(), false);
    BOOST_TEST(sent_header(lines, "List-Unsubscribe: ") == "<https://xn--bcher-kva.example/unsubscribe/x>");
    const auto key = push::Key::generate();
    for (const auto& [written, sent] :
         {std::pair("mailto:ops@bücher.example?subject=x", "mailto:ops@xn--bcher-kva.example?subject=x"),
          {"https://bücher.example/", "https://xn--bcher-kva.example/"},
          {"mailto:ops@b.example", "mailto:ops@b.example"}}) {
        const auto value = push::vapid(key, "https://push.example", written, core::Time());
        const auto begin = value.find('.') + 1;
        const auto claims = json::Json::parse(core::from_base64url(value.substr(begin, value.find('.', begin) - begin)).value());
        BOOST_TEST(claims.at("sub") == sent);
    }
}

BOOST_AUTO_TEST_SUITE_END()
