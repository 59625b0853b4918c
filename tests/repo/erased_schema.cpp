// `tradepostctl erase` and every column that can hold a text: it is found and erased, or says here why it stays.
#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>

#include "core/crypto.h"
#include "core/hex.h"
#include "core/text.h"
#include "ctl/person.h"
#include "db/statement.h"
#include "identity/people/users.h"
#include "repo/application.h"
#include "support/case_match.h"

using namespace tradepost;

namespace {

struct Exemption {
    const char* why;
    std::set<std::string> columns;
};

const Exemption exemptions[] = {
    {"a word or code of the service's own",
     {"api_tokens.scopes",
      "audit_log.event",
      "changes.collection",
      "changes.kind",
      "collection_versions.collection",
      "deletions.collection",
      "enquiries.type",
      "examination_requests.method",
      "examination_requests.route",
      "examination_requests.fault",
      "enquiries.status",
      "feeds.list",
      "instance_keys.name",
      "invitations.role",
      "list_counts.list",
      "memberships.role",
      "memberships.enquiry_mail",
      "notification_tokens.platform",
      "outbox_bundles.kind",
      "outbox_messages.kind",
      "outbox_messages.state",
      "outbox_targets.lane",
      "program_failures.method",
      "program_failures.route",
      "program_failures.code",
      "record_history.collection",
      "record_history.kind",
      "search_documents.list",
      "search_indexes.list",
      "search_indexes.side",
      "search_words.list",
      "uploads.status",
      "uploads.fetch_error",
      "webhooks.events",
      "webhooks.disabled_reason"}},
    {"a kind and a random id; the row ends with the messages that wait", {"outbox_targets.target"}},
    {"a name that a program of a test organisation gave its request; the row goes after 30 days",
     {"examination_requests.request_id"}},
    {"the operator's: hosts, files and programs",
     {"leases.name", "leases.holder", "change_readers.name", "change_readers.collection", "schema_migrations.name",
      "schema_migrations.checksum"}},
    {"names of fields and requests that programs chose; the row goes after 14 days",
     {"program_failures.parameter", "program_failures.request_id"}},
    {"what an organisation shows of itself; its ADMINs change it",
     {"organisations.slug", "organisations.name", "organisations.description", "organisations.website", "organisations.phone",
      "organisations.email", "organisations.address", "organisations.city", "organisations.postal_code", "organisations.country",
      "organisations.logo_url", "webhooks.url"}},
    {"what an organisation publishes, which stays without the name of who wrote it",
     {"jobs.slug",
      "jobs.reference",
      "events.reference",
      "posts.reference",
      "jobs.title",
      "jobs.summary",
      "jobs.description",
      "jobs.category",
      "jobs.department",
      "jobs.contract_type",
      "jobs.working_hours",
      "jobs.workplace",
      "jobs.city",
      "jobs.postal_code",
      "jobs.country",
      "jobs.salary_currency",
      "jobs.salary_period",
      "jobs.apply_url",
      "jobs.apply_email",
      "jobs.status",
      "events.slug",
      "events.title",
      "events.summary",
      "events.description",
      "events.category",
      "events.timezone",
      "events.venue_name",
      "events.address",
      "events.city",
      "events.country",
      "events.url",
      "events.image_url",
      "events.status",
      "posts.slug",
      "posts.title",
      "posts.summary",
      "posts.body",
      "posts.image_url",
      "posts.tags",
      "posts.author_name",
      "stock_items.reference",
      "stock_items.title",
      "stock_items.description",
      "stock_items.category",
      "stock_items.make",
      "stock_items.model",
      "stock_items.variant",
      "stock_items.item_condition",
      "stock_items.currency",
      "stock_items.attributes",
      "stock_items.status",
      "stock_items.availability",
      "stock_documents.title",
      "uploads.filename",
      "uploads.content_type",
      "uploads.source_url"}},
    {"derived from what an organisation publishes",
     {"job_search.tokens", "event_search.tokens", "post_search.tokens", "stock_search.tokens", "facet_values.text",
      "deletions.reference", "record_history.changes"}},
};

const std::string address = "Anna.Berg@Example.org";

struct Fixture : test::ApplicationFixture {
    db::Connection connection{config.database};
    core::ManualClock clock{core::parse_rfc3339("2026-03-01T12:00:00Z").value()};
    core::Uuid anna = core::Uuid::v7(clock.now()), enquiry = core::Uuid::v7(clock.now());
    core::Uuid organisation = core::Uuid::parse("0195f0a0-0000-7000-8000-00000000a001").value();
    core::Uuid other = identity::Users(connection).find_by_email("solo@example.com").value().id;
};

struct Column {
    std::string name, type;
    std::size_t length;
    bool needed;  // neither NULL nor a default

    bool is_text() const {
        return type != "binary" && (type.find("char") != std::string::npos || type.find("text") != std::string::npos ||
                                    type.find("blob") != std::string::npos || type == "varbinary" || type == "json");
    }
};

bool is_exempt(const std::string& column) {
    return std::any_of(std::begin(exemptions), std::end(exemptions),
                       [&](const auto& each) { return each.columns.contains(column); });
}

// Rows of the person, and what a dump must no longer have.
struct Marked : Fixture {
    std::map<std::string, std::vector<Column>> tables;
    std::set<std::string> marks{core::lower_ascii(address), anna.to_string(), std::string(anna.bytes())};

    Marked() {
        for (const auto& row : connection.query(
                 "SELECT table_name, column_name, data_type, COALESCE(character_maximum_length, 0), is_nullable = 'NO' AND "
                 "column_default IS NULL FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY table_name, "
                 "ordinal_position"))
            tables[row.text(0)].push_back({row.text(1), row.text(2), std::size_t(row.unsigned_integer(3)), row.boolean(4)});
    }

    std::string value(const std::string& table, const Column& column) {
        if (column.is_text() && !is_exempt(table + "." + column.name)) {
            auto mark = "mark" + core::to_hex(core::random_bytes(4));
            BOOST_REQUIRE_MESSAGE(column.length >= mark.size(), table + "." + column.name);
            return db::literal(*marks.insert(std::move(mark)).first);
        }
        if (!column.needed) return "";
        if (column.is_text()) return "''";
        if (column.type == "binary") return "0x" + core::to_hex(core::random_bytes(column.length));
        return column.type == "datetime" ? "UTC_TIMESTAMP(3)" : "1";
    }

    // A row with these values in SQL; marks are in its other texts.
    void insert(const std::string& table, const std::map<std::string, std::string>& cells) {
        std::string names, values;
        for (const auto& column : tables.at(table)) {
            const auto given = cells.find(column.name);
            const auto text = given == cells.end() ? value(table, column) : given->second;
            if (text.empty()) continue;
            names += (names.empty() ? "" : ", ") + column.name;
            values += (values.empty() ? "" : ", ") + text;
        }
        connection.execute("INSERT INTO " + table + " (" + names + ") VALUES (" + values + ")");
    }

    // The texts of the database that have a mark: table.column.
    std::set<std::string> marked() {
        std::set<std::string> found;
        for (const auto& [table, columns] : tables)
            for (const auto& row : connection.query("SELECT * FROM " + table))
                for (std::size_t i = 0; i < columns.size(); ++i) {
                    const auto cell = core::lower_ascii(core::text_of(row.opt_text(i)));
                    for (const auto& mark : marks)
                        if (cell.find(mark) != std::string::npos) found.insert(table + "." + columns[i].name);
                }
        return found;
    }

    void add_rows() {
        using db::literal;
        const auto user = literal(anna), somebody = literal(other), email = literal(address);
        const auto key = literal(core::lower_ascii(address)), id = literal(anna.to_string());
        const auto about_enquiry = literal("{\"enquiryId\":\"" + enquiry.to_string() + "\"}");
        const auto answer = R"({"data":{"email":")" + address + R"(","name":"mark-of-a-kept-answer"}})";
        const auto names_address = literal(answer);
        marks.insert("mark-of-a-kept-answer");
        insert("users", {{"id", user}, {"email", email}, {"email_key", key}});
        for (const char* table : {"api_tokens", "sessions", "notification_tokens", "second_factors", "email_changes"})
            insert(table, {{"user_id", user}});
        insert("api_tokens", {{"user_id", somebody}, {"name", "'November'"}, {"minted_by", user}});
        insert("memberships", {{"user_id", user}, {"organisation_id", literal(organisation)}, {"role", "'MEMBER'"}});
        insert("email_changes", {{"user_id", somebody}, {"email", email}, {"email_key", key}});
        insert("invitations", {{"organisation_id", literal(organisation)}, {"email", email}, {"email_key", key}});
        insert("invitations", {{"organisation_id", literal(organisation)},
                               {"email", "'new@example.com'"},
                               {"email_key", "'new@example.com'"},
                               {"invited_by", user}});
        const std::map<std::string, std::string> of_enquiry{
            {"organisation_id", literal(organisation)}, {"type", "'GENERAL'"}, {"status", "'NEW'"}};
        auto sent = of_enquiry, naming = of_enquiry;
        sent.insert({{"id", literal(enquiry)}, {"from_user_id", user}});
        naming.insert({{"from_user_id", somebody}, {"email", email}});
        insert("enquiries", sent);
        insert("enquiries", naming);
        insert("enquiry_search", {{"enquiry_id", literal(enquiry)}});
        // What others asked, and was answered with something about her.
        insert("idempotency_keys", {{"user_id", somebody}, {"status", "201"}, {"headers", "'{}'"}, {"body", names_address}});
        insert("idempotency_keys",
               {{"user_id", somebody},
                {"status", "201"},
                {"headers", literal(R"({"Location":"/)" + enquiry.to_string() + R"(","Note":"mark-of-a-header"})")},
                {"body", "'{}'"}});
        marks.insert("mark-of-a-header");
        insert("idempotency_keys", {{"user_id", user}});
        const auto message = [&](const std::string& target, const std::string& payload, const std::string& result) {
            insert("outbox_messages", {{"target", literal(target)}, {"payload", payload}, {"result", literal(result)}});
        };
        message("mail 1", names_address, "");
        message("mail 2", "'{}'", "550 5.1.1 <anna.berg@example.org>: unknown");
        message("mail " + anna.to_string(), "'{}'", "");
        marks.insert(enquiry.to_string());
        const auto bundle = literal(core::Uuid::v7(clock.now()));
        insert("outbox_bundles",
               {{"id", bundle}, {"items", literal(enquiry.to_string() + "\n")}, {"payloads", literal(answer + "\n")}});
        insert("outbox_messages", {{"bundle_id", bundle}, {"payload", "'{}'"}, {"target", "'webhook 1'"}, {"result", "''"}});
        insert("outbox_messages", {{"payload", about_enquiry}, {"target", "'webhook 1'"}, {"result", "''"}});
        insert("audit_log", {{"user_id", user}, {"event", "'token_minted'"}, {"actor", "'ctl:root'"}});
        insert("audit_log", {{"user_id", somebody}, {"event", "'role_changed'"}, {"actor", id}, {"detail", "'ADMIN'"}});
        insert("audit_log", {{"event", "'sign_in_failed'"}, {"actor", "'-'"}, {"detail", email}});
        insert("audit_log", {{"event", "'integration_added'"}, {"actor", "'-'"}, {"detail", literal("Feed of " + address)}});
        insert("audit_log", {{"target_id", user}, {"actor", "'-'"}});
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(erased_schema)

BOOST_FIXTURE_TEST_CASE(each_text_of_the_schema_is_erased_or_exempt, Marked) {
    add_rows();
    const auto before = marked();
    std::set<std::string> all;
    for (const auto& [table, columns] : tables)
        for (const auto& column : columns) {
            const auto name = table + "." + column.name;
            all.insert(name);
            if (column.is_text() && !is_exempt(name))
                BOOST_TEST(before.contains(name), name << " has no mark: add a row of the person, or say why the column stays");
        }
    for (const auto& exemption : exemptions)
        for (const auto& column : exemption.columns) BOOST_TEST(all.contains(column), column << " is gone: take it off the list");

    const auto erased = ctl::erase(connection, clock, address);
    BOOST_TEST(erased.user);
    BOOST_TEST(erased.kept_answers == 2u);
    BOOST_TEST(marked() == std::set<std::string>(), boost::test_tools::per_element());
    BOOST_TEST(!ctl::erase(connection, clock, address).anything());
}

BOOST_FIXTURE_TEST_CASE(a_repeated_key_shows_nothing_of_who_was_erased, Fixture) {
    App app(config, clock, limiter);
    const auto send = [&](const std::string& key, const std::string& email) {
        http::Request request;
        request.method = "POST";
        request.target = "/api/v1/enquiries";
        request.headers = {{"authorization", "Bearer " + test::fixture_token("solo")},
                           {"content-type", "application/json"},
                           {"idempotency-key", key}};
        request.body = R"({"organisationId":"0195f0a0-0000-7000-8000-00000000a001","name":"Anna Berg","email":")" + email +
                       R"(","phone":"+44 1632 960011","message":"Is it for sale?"})";
        return app.handle(request);
    };
    BOOST_TEST(send("hers", address).status == 201);
    const auto kept = send("another", "hanna.berg@example.org");
    BOOST_TEST(kept.status == 201);
    const auto erased = ctl::erase(connection, clock, address);
    BOOST_TEST(erased.enquiries == 1u);
    BOOST_TEST(erased.kept_answers == 1u);

    const auto again = send("hers", address);
    BOOST_TEST(again.status == 422);
    BOOST_TEST(again.body == R"({"error":"Idempotency-Key was used with another request"})");
    BOOST_TEST(connection.query("SELECT COUNT(*) FROM enquiries WHERE email = ?", {address}).at(0).integer(0) == 0);
    BOOST_TEST(send("another", "hanna.berg@example.org").body == kept.body);
    // After a day it is a new key, as any other.
    clock.advance(std::chrono::hours(25));
    BOOST_TEST(send("hers", address).status == 201);
}

BOOST_AUTO_TEST_SUITE_END()
