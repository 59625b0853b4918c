// What is kept of people: old enquiries, the export of a person, and what is left when one is erased.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "audit/record.h"
#include "counts/table.h"
#include "identity/tokens/tokens.h"
#include "outbox/queue.h"
#include "repo/ctl_support.h"
#include "repo/enquiry_support.h"
#include "resources/enquiries/list.h"
#include "resources/enquiries/removal.h"
#include "resources/enquiries/writer.h"

using namespace tradepost;
using namespace std::chrono_literals;
using Json = nlohmann::json;

namespace {

struct Fixture : test::CtlFixture {
    core::Uuid organisation(const char* slug) {
        return connection.query("SELECT id FROM organisations WHERE slug = ?", {slug}).at(0).uuid(0);
    }
    core::Uuid add_user(const std::string& email) {
        identity::User user;
        user.id = core::Uuid::v7(now);
        user.email = email;
        user.name = email;
        user.password_hash = "$2y$10$secret-hash-of-a-password";
        user.created_at = user.updated_at = now;
        identity::Users(connection).insert(user);
        return user.id;
    }
    core::Uuid add_enquiry(const std::optional<core::Uuid>& from, const std::string& email, core::Time at) {
        auto enquiry = test::Enquirers::enquiry(north, from.value_or(core::Uuid::v7(now)), at);
        enquiry.from_user_id = from;
        enquiry.email = email;
        enquiry.message = "May I see it on Friday?";
        enquiry.note = "Has called before.";
        writes::write(connection,
                      [&](writes::WriteTransaction& transaction) { enquiries::EnquiryWriter(transaction).insert(enquiry); });
        return enquiry.id;
    }
    void member(const core::Uuid& user, const char* role) {
        identity::Memberships(connection).add(user, north, *identity::parse_role(role), now);
    }
    // All that refers to a person, in several tables.
    core::Uuid add_person() {
        const auto anna = add_user("Anna@Example.org");
        member(anna, "ADMIN");
        member(add_user("other@example.org"), "ADMIN");
        identity::Tokens(connection).mint(anna, "Feed of Anna", clock);
        connection.execute(
            "INSERT INTO sessions (hash, user_id, csrf_token, created_at, last_seen_at, address, user_agent) "
            "VALUES (?, ?, ?, ?, ?, '192.0.2.7', 'Firefox')",
            {db::Binary{std::string(32, 's')}, anna, db::Binary{std::string(32, 'c')}, now, now});
        connection.execute(
            "INSERT INTO notification_tokens (hash, user_id, token, platform, device_name, created_at, updated_at) "
            "VALUES (?, ?, 'device-secret', 'IOS', 'Phone', ?, ?)",
            {db::Binary{std::string(32, 'n')}, anna, now, now});
        connection.execute("INSERT INTO password_resets (hash, user_id, created_at, expires_at) VALUES (?, ?, ?, ?)",
                           {db::Binary{std::string(32, 'r')}, anna, now, now + 30min});
        const auto add_email_change = [&](const core::Uuid& user, const char* email) {
            connection.execute(
                "INSERT INTO email_changes (id, user_id, email, email_key, created_at, expires_at) VALUES (?, ?, ?, LOWER(?), ?, "
                "?)",
                {core::Uuid::v7(now), user, email, email, now, now + 60min});
        };
        add_email_change(anna, "anna@example.net");
        add_email_change(add_user("max@example.org"), "ANNA@example.org");
        connection.execute(
            "INSERT INTO invitations (id, organisation_id, email, email_key, role, created_at, expires_at) "
            "VALUES (?, ?, 'ANNA@example.org', 'anna@example.org', 'MEMBER', ?, ?)",
            {core::Uuid::v7(now), organisation("south-marine"), now, now + 24h});
        first = add_enquiry(anna, "work@example.net", now - 24h);
        second = add_enquiry({}, "ANNA@example.org", now);
        third = add_enquiry(add_user("sam@example.org"), "sam@example.org", now);
        const auto queue = [&](const std::string& payload) {
            outbox::send(connection, now, {.kind = "mail", .target = "mail " + payload.substr(0, 20), .payload = payload});
        };
        queue(R"({"email":"anna@EXAMPLE.org"})");
        queue(R"({"enquiryId":")" + first.to_string() + R"("})");
        queue(R"({"enquiryId":")" + third.to_string() + R"("})");
        const audit::Acting acting({.actor = "-", .address = "192.0.2.7", .request_id = "r-1"});
        audit::record_failure(connection, now,
                              {.event = audit::Event::sign_in_failed, .user = anna, .detail = "Anna@example.org"});
        audit::record_failure(connection, now, {.event = audit::Event::sign_in_failed, .detail = "someone@example.org"});
        audit::record(connection, now,
                      {.event = audit::Event::email_changed, .user = anna, .detail = "anna.long.ago@example.org"});
        return anna;
    }
    std::int64_t rows(const std::string& from) { return connection.query("SELECT COUNT(*) FROM " + from).at(0).integer(0); }
    void check_totals() { BOOST_TEST(counts::recount(connection, enquiries::counted_table()) == 0u); }
    // Every text of the database that may hold a name.
    bool is_mentioned(const std::string& text) {
        for (const std::string from :
             {"users WHERE LOWER(CONCAT(email, name))", "enquiries WHERE LOWER(CONCAT(name, email, message))",
              "invitations WHERE LOWER(email)", "email_changes WHERE LOWER(email)", "outbox_messages WHERE LOWER(payload)",
              "audit_log WHERE LOWER(CONCAT(actor, address, detail))"})
            if (rows(from + " LIKE '%" + text + "%'") > 0) return true;
        return false;
    }
    void settings(const std::string& text) { std::ofstream(config, std::ios::app) << text; }

    core::Time now = core::SystemClock().now();
    core::Uuid north = organisation("north-tractors"), first, second, third;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(privacy, Fixture)

BOOST_AUTO_TEST_CASE(old_enquiries_stay_unless_a_time_is_set) {
    const auto anna = add_user("anna@example.org");
    add_enquiry(anna, "anna@example.org", now - std::chrono::days(4000));
    BOOST_TEST(Json::parse(ctl({"prune", "--json"}).out)["enquiries"] == 0);
    BOOST_TEST(rows("enquiries") == 1);
}

BOOST_AUTO_TEST_CASE(old_enquiries_go_after_the_set_time) {
    settings("[privacy]\nenquiry_retention = \"30 days\"\n");
    const auto anna = add_user("anna@example.org");
    for (int i = 0; i < 250; ++i) add_enquiry(anna, "anna@example.org", now - std::chrono::days(30) - 1min);
    add_enquiry(anna, "anna@example.org", now - std::chrono::days(30) + 10min);
    BOOST_TEST(Json::parse(ctl({"prune", "--json"}).out)["enquiries"] == 250);
    BOOST_TEST(rows("enquiries") == 1);
    BOOST_TEST(rows("enquiry_search") == 1);
    check_totals();
    BOOST_TEST(Json::parse(ctl({"prune", "--json"}).out)["enquiries"] == 0);
}

BOOST_AUTO_TEST_CASE(an_export_tells_everything_but_secrets) {
    add_person();
    const auto result = ctl({"export", "person", "--email", " anna@example.ORG "});
    BOOST_TEST(result.code == 0, result.error);
    const auto document = Json::parse(result.out);
    BOOST_TEST(document["user"]["email"] == "Anna@Example.org");
    BOOST_TEST(document["user"]["hasPassword"] == true);
    BOOST_TEST(document["memberships"][0]["organisation"] == "north-tractors");
    BOOST_TEST(document["tokens"][0]["name"] == "Feed of Anna");
    BOOST_TEST(document["sessions"][0]["address"] == "192.0.2.7");
    BOOST_TEST(document["notificationTokens"][0]["deviceName"] == "Phone");
    BOOST_TEST(document["passwordResets"].size() == 1u);
    BOOST_TEST(document["invitations"][0]["organisation"] == "south-marine");
    BOOST_TEST(document["emailChanges"].size() == 2u);
    BOOST_TEST(document["enquiries"].size() == 2u);
    BOOST_TEST(document["enquiries"][0]["id"] == first.to_string());
    BOOST_TEST(document["enquiries"][0]["message"] == "May I see it on Friday?");
    BOOST_TEST(document["auditEvents"].size() >= 2u);
    for (const char* secret : {"secret", "Has called before", "sam@example.org"})
        BOOST_TEST(result.out.find(secret) == std::string::npos, secret);
    BOOST_TEST(rows("audit_log WHERE event = 'exported' AND detail = 'person'") == 1);

    const auto nobody = Json::parse(ctl({"export", "person", "--email", "nobody@example.org"}).out);
    BOOST_TEST(nobody["user"].is_null());
    BOOST_TEST(nobody["enquiries"].empty());
    fails(ctl({"export", "person", "--email", "nobody"}), 2, "--email: must be an email address");
}

BOOST_AUTO_TEST_CASE(who_is_erased_leaves_no_name) {
    const auto anna = add_person();
    BOOST_TEST(is_mentioned("anna"));
    const auto erased = ctl({"erase", "--email", "anna@example.org"});
    BOOST_TEST(erased.code == 0, erased.error);
    const auto report = Json::parse(erased.out);
    BOOST_TEST(report["user"] == true);
    BOOST_TEST(report["enquiries"] == 2);
    for (const char* one : {"tokens", "sessions", "notificationTokens", "passwordResets", "invitations", "memberships"})
        BOOST_TEST(report[one] == 1, one);
    BOOST_TEST(report["emailChanges"] == 2);
    BOOST_TEST(report["messages"] == 2);
    BOOST_TEST(report["auditEvents"].get<int>() >= 3);

    BOOST_TEST(!is_mentioned("anna"));
    BOOST_TEST(!is_mentioned("work@example.net"));
    BOOST_TEST(rows("audit_log WHERE address = '192.0.2.7'") == 1);  // somebody else's failed sign-in
    BOOST_TEST(!is_mentioned(anna.to_string()));
    BOOST_TEST(rows("audit_log WHERE user_id = UNHEX(REPLACE('" + anna.to_string() + "', '-', ''))") == 0);
    // What happened is still told, and that it was one person.
    BOOST_TEST(rows("audit_log WHERE event = 'sign_in_failed'") == 2);
    BOOST_TEST(rows("audit_log a JOIN audit_log b ON a.user_id = b.user_id WHERE a.event = 'sign_in_failed' AND b.event = "
                    "'person_erased'") == 1);
    BOOST_TEST(rows("enquiries") == 1);
    BOOST_TEST(rows("outbox_messages") == 1);
    for (const char* table : {"api_tokens", "sessions", "notification_tokens", "password_resets", "email_changes", "invitations"})
        BOOST_TEST(rows(table) == 0, table);
    BOOST_TEST(rows("users") == 3);
    check_totals();

    const auto again = Json::parse(ctl({"erase", "--email", "anna@example.org"}).out);
    BOOST_TEST(again["user"] == false);
    for (const auto& [name, value] : again.items())
        if (value.is_number()) BOOST_TEST(value == 0, name);
    BOOST_TEST(rows("audit_log WHERE event = 'person_erased'") == 1);
}

BOOST_AUTO_TEST_CASE(messages_to_a_longer_address_stay) {
    const std::vector<std::string> others{R"({"email":"hanna@example.org"})", R"({"email":"anna@example.org.au"})",
                                          R"({"a":["x-anna@example.org, or so"]})"},
        own{R"({"data":{"message":"Hello,\nanna@Example.org."}})", R"({"a":["<anna@example.org>"]})"};
    for (const auto* all : {&others, &own})
        for (const auto& payload : *all) outbox::send(connection, now, {.kind = "mail", .target = "mail x", .payload = payload});
    BOOST_TEST(Json::parse(ctl({"erase", "--email", "anna@example.org"}).out)["messages"] == own.size());
    BOOST_TEST(rows("outbox_messages") == std::int64_t(others.size()));
}

BOOST_AUTO_TEST_CASE(an_address_without_a_user_is_erased_too) {
    add_enquiry({}, "Anna@example.org", now);
    const auto report = Json::parse(ctl({"erase", "--email", "anna@example.org"}).out);
    BOOST_TEST(report["user"] == false);
    BOOST_TEST(report["enquiries"] == 1);
    BOOST_TEST(rows("enquiries") == 0);
}

BOOST_AUTO_TEST_CASE(the_last_admin_stays_unless_that_is_wanted) {
    const auto anna = add_user("anna@example.org");
    member(anna, "ADMIN");
    const auto disabled = add_user("disabled@example.org");
    member(disabled, "ADMIN");
    identity::Users(connection).disable(disabled, now);
    member(add_user("other@example.org"), "MEMBER");
    add_enquiry(anna, "anna@example.org", now);
    fails(ctl({"erase", "--email", "anna@example.org"}), 1,
          "nobody else is an ADMIN of north-tractors: make somebody one with tradepostctl org add-member, or erase with "
          "--leave-without-admin");
    BOOST_TEST(rows("enquiries") == 1);
    BOOST_TEST(rows("users WHERE email = 'anna@example.org' AND disabled_at IS NULL") == 1);
    BOOST_TEST(ctl({"erase", "--email", "anna@example.org", "--leave-without-admin"}).code == 0);
    BOOST_TEST(rows("users WHERE email = 'anna@example.org'") == 0);
    BOOST_TEST(rows("enquiries") == 0);
}

// As after a host that died in the middle: the user is shut out, some enquiries are gone.
BOOST_AUTO_TEST_CASE(an_interrupted_one_is_finished_by_the_next) {
    const auto anna = add_person();
    connection.execute("UPDATE users SET disabled_at = ? WHERE id = ?", {now, anna});
    BOOST_TEST(enquiries::remove(connection, std::array{first}) == 1u);
    const auto report = Json::parse(ctl({"erase", "--email", "anna@example.org"}).out);
    BOOST_TEST(report["user"] == true);
    BOOST_TEST(report["enquiries"] == 1);
    BOOST_TEST(!is_mentioned("anna"));
    check_totals();
}

BOOST_AUTO_TEST_SUITE_END()
