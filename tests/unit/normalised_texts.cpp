// The one rule for texts: how they are stored, wherever they come in.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "core/text.h"
#include "fields/field.h"
#include "fields/json.h"
#include "identity/organisations/organisation.h"
#include "identity/people/user_writer.h"
#include "json/parse.h"
#include "resource/handlers.h"
#include "resources/enquiries/enquiry.h"
#include "resources/events/event.h"
#include "resources/jobs/job.h"
#include "resources/notification_tokens/handlers.h"
#include "resources/posts/post.h"
#include "resources/stock/stock_item.h"
#include "resources/uploads/upload.h"
#include "support/refusal.h"

using namespace tradepost;

namespace {

struct Form {
    std::string_view sent, one_line, many_lines;
};

// What is sent, and what is stored of it in texts of one and of several lines.
constexpr Form forms[] = {
    {"", "", ""},
    {" ", "", ""},
    {"\u200B", "", ""},
    {"\u2060\u00AD\uFEFF\u3164\u2800\u00A0\t\n\u2028\x7F\u202E", "", ""},
    {"\uFE0F", "", ""},
    {" JD-6R155 ", "JD-6R155", "JD-6R155"},
    {"\u3000JD-6R155\u200B\r\n", "JD-6R155", "JD-6R155"},
    {"a\nb", "a b", "a\nb"},
    {"a \r\n\t b", "a b", "a \r\n\t b"},
    {"a\u2028b\u0085c\x01"
     "d",
     "a b c d",
     "a\u2028b\u0085c\x01"
     "d"},
    {"12\u00A0000  km", "12\u00A0000  km", "12\u00A0000  km"},
    {"Cafe\u0301", "Caf\u00E9", "Caf\u00E9"},
    {"e\u0323\u0302", "\u1EC7", "\u1EC7"},
    {"\u1112\u1161\u11AB", "\uD55C", "\uD55C"},
    {"\u212B", "\u00C5", "\u00C5"},
    {"\uFB01", "\uFB01", "\uFB01"},
    {"\u2764\uFE0F ", "\u2764\uFE0F", "\u2764\uFE0F"},
    {"a\u200Db", "a\u200Db", "a\u200Db"},
    {"日本\u3000語", "日本\u3000語", "日本\u3000語"},
};

json::Json object(std::string_view name, const json::Json& value) {
    auto made = json::Json::object();
    made[std::string(name)] = value;
    return made;
}

// What a field of a resource makes of a text, in a row that has `before`; or what it is refused with.
template <class T>
std::string stored(std::span<const fields::Field<T>> all, std::string_view name, std::string_view text,
                   std::string_view before = {}) {
    std::string found = "no such field";
    const auto refused = test::refusal([&] {
        T item{};
        for (const auto& field : all) {
            if (field.name != name) continue;
            if (const auto* plain = std::get_if<std::string T::*>(&field.member)) item.** plain = before;
            if (const auto* optional = std::get_if<std::optional<std::string> T::*>(&field.member)) item.** optional = before;
            fields::read_fields<T>(object(name, std::string(text)), all, item, fields::Reading::change);
            if (const auto* plain = std::get_if<std::string T::*>(&field.member)) found = item.**plain;
            if (const auto* optional = std::get_if<std::optional<std::string> T::*>(&field.member)) found = *(item.**optional);
        }
    });
    return refused == "accepted" ? found : refused;
}

enum class Way { one, many, exact };

template <class T>
void check(std::span<const fields::Field<T>> all, const std::map<std::string_view, Way>& ways) {
    for (const auto& field : all) {
        const bool is_text = field.rule.kind == fields::Kind::text || field.rule.kind == fields::Kind::name;
        if (!is_text || field.use == fields::Use::read_only) continue;
        const auto way = ways.find(field.name);
        BOOST_TEST_CONTEXT(field.name) {
            BOOST_REQUIRE((way != ways.end()));
            for (const auto& form : forms) {
                if (way->second != Way::exact && form.many_lines.empty()) continue;
                const auto wanted = way->second == Way::exact ? form.sent
                                    : way->second == Way::one ? form.one_line
                                                              : form.many_lines;
                if (form.sent.empty()) continue;
                BOOST_TEST(stored(all, field.name, form.sent) == wanted);
            }
            // A text that is older than the rule may be sent back as it is.
            for (const std::string_view old : {" ", "\u200B", " old ", "a\nb"})
                BOOST_TEST(stored(all, field.name, old, old) == old);
            if (field.rule.min > 0 && way->second != Way::exact)
                for (const auto* text : {" ", "\u200B", "\u00AD\u3164"})
                    BOOST_TEST(stored(all, field.name, text) ==
                               "400 Invalid field: " + std::string(field.name) + ": must have a visible character");
        }
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(normalised_texts)

BOOST_AUTO_TEST_CASE(every_form_is_stored_in_one_way) {
    for (const auto& form : forms) BOOST_TEST_CONTEXT(form.sent) {
            BOOST_TEST(core::one_line(form.sent) == form.one_line);
            BOOST_TEST(core::many_lines(form.sent) == form.many_lines);
            BOOST_TEST(core::one_line(form.one_line) == form.one_line);
            BOOST_TEST(core::many_lines(form.many_lines) == form.many_lines);
            BOOST_TEST(core::normal_reference(form.sent) == (form.one_line.empty() ? form.sent : form.one_line));
        }
    BOOST_TEST(core::nfc("\xFF") == "\xFF");
    BOOST_TEST((core::reference_forms(" a ") == std::vector<std::string>{" a ", "a"}));
    BOOST_TEST((core::reference_forms("a") == std::vector<std::string>{"a"}));
    BOOST_TEST((core::reference_forms(" ") == std::vector<std::string>{" "}));
}

BOOST_AUTO_TEST_CASE(every_field_of_a_resource_follows_the_rule) {
    using enum Way;
    check(jobs::Job::described().fields, {{"reference", one},
                                          {"title", one},
                                          {"summary", many},
                                          {"description", many},
                                          {"category", one},
                                          {"department", one},
                                          {"city", one},
                                          {"postalCode", one}});
    check(stock::StockItem::described().fields, {{"reference", one},
                                                 {"title", one},
                                                 {"description", many},
                                                 {"category", one},
                                                 {"make", one},
                                                 {"model", one},
                                                 {"variant", one}});
    check(events::Event::described().fields, {{"reference", one},
                                              {"title", one},
                                              {"summary", many},
                                              {"description", many},
                                              {"category", one},
                                              {"venueName", one},
                                              {"address", many},
                                              {"city", one}});
    check(posts::Post::described().fields,
          {{"reference", one}, {"title", one}, {"summary", many}, {"body", many}, {"authorName", one}});
    check(enquiries::sent_fields(), {{"name", one}, {"phone", one}, {"message", many}});
    check(enquiries::worked_fields(), {{"note", many}});
    check(identity::organisation_fields(),
          {{"name", one}, {"description", many}, {"phone", one}, {"address", many}, {"city", one}, {"postalCode", one}});
    check(identity::user_fields(), {{"name", one}, {"passwordHash", exact}});
    check(notification_tokens::notification_token_fields(), {{"token", exact}, {"deviceName", one}});
    check(uploads::new_upload_fields(), {{"filename", exact}, {"data", exact}, {"sha256", one}});
}

BOOST_AUTO_TEST_CASE(lists_and_maps_of_texts) {
    posts::Post post;
    post.tags = {" old "};
    fields::read_fields<posts::Post>(json::parse(R"({"tags": [" old ", " new ", "a\nb"]})"), posts::Post::described().fields,
                                     post, fields::Reading::change);
    BOOST_TEST(post.tags == (std::vector<std::string>{" old ", "new", "a b"}), boost::test_tools::per_element());

    const auto patched = [](const char* patch) {
        stock::StockItem item;
        item.attributes = {{" VIN ", "\u200B"}, {"Mileage", "1"}};
        const auto refused = test::refusal([&] {
            fields::read_fields<stock::StockItem>(json::parse(std::string(R"({"attributes": )") + patch + "}"),
                                                  stock::StockItem::described().fields, item, fields::Reading::change);
        });
        if (refused != "accepted") return refused;
        std::string text;
        for (const auto& [name, value] : item.attributes) text.append(name).append("=").append(value).append(";");
        return text;
    };
    BOOST_TEST(patched(R"({})") == " VIN =\u200B;Mileage=1;");
    BOOST_TEST(patched(R"({" VIN ": "\u200B"})") == " VIN =\u200B;Mileage=1;");
    BOOST_TEST(patched(R"({" VIN ": " x "})") == " VIN =x;Mileage=1;");
    BOOST_TEST(patched(R"({" VIN ": null, " Mileage\n": " 2\n3 "})") == "Mileage=2\n3;");
    BOOST_TEST(patched(R"({"Colour ": "Red"})") == " VIN =\u200B;Colour=Red;Mileage=1;");
    BOOST_TEST(patched(R"({"Colour ": "Red", "Colour": "Blue"})") ==
               "400 Invalid field: attributes: must have names that differ");
    BOOST_TEST(patched(R"({" ": "x"})") == "400 Invalid field: attributes: must have names of 1 to 80 characters");
}

BOOST_AUTO_TEST_CASE(a_put_keeps_a_reference_that_is_older_than_the_rule) {
    stock::StockItem fresh, old;
    old.reference = " JD ";
    old.title = "x";
    BOOST_TEST(resource::read_put(json::parse(R"({"reference": " JD ", "title": " Deere\n6R "})"), fresh, &old).reference ==
               " JD ");
    const auto made =
        resource::read_put<stock::StockItem>(json::parse(R"({"reference": " JD ", "title": " Deere\n6R "})"), fresh, nullptr);
    BOOST_TEST(made.reference == "JD");
    BOOST_TEST(made.title == "Deere 6R");
    jobs::Job job, old_job;
    old_job.reference = "\u200BA";
    BOOST_TEST(resource::read_put(json::parse(R"({"reference": "\u200bA", "title": "x"})"), job, &old_job).reference.value() ==
               "\u200BA");
    BOOST_TEST(
        resource::read_put<jobs::Job>(json::parse(R"({"reference": "\u200bA", "title": "x"})"), job, nullptr).reference.value() ==
        "A");
}

BOOST_AUTO_TEST_CASE(media_types_have_aliases) {
    static constexpr std::pair<std::string_view, std::string_view> table[] = {
        {"image/jpg", "image/jpeg"},
        {"image/pjpeg", "image/jpeg"},
        {"image/jpeg", "image/jpeg"},
        {"image/x-png", "image/png"},
        {"image/x-webp", "image/webp"},
        {"application/x-pdf", "application/pdf"},
        {"application/pdf", "application/pdf"},
    };
    for (const auto& [sent, kept] : table) {
        uploads::NewUpload upload;
        fields::read_fields<uploads::NewUpload>(object("contentType", std::string(sent)), uploads::new_upload_fields(), upload,
                                                fields::Reading::change);
        BOOST_TEST(upload.content_type == kept);
    }
    for (const auto* sent : {"image/gif", "IMAGE/JPG", "image/jpg ", ""})
        BOOST_TEST(test::refusal([&] {
                       uploads::NewUpload upload;
                       fields::read_fields<uploads::NewUpload>(object("contentType", sent), uploads::new_upload_fields(), upload,
                                                               fields::Reading::change);
                   }) == "400 Invalid field: contentType: must be one of image/jpeg, image/png, image/webp, application/pdf");
}

BOOST_AUTO_TEST_SUITE_END()
