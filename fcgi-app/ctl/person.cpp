// export person
#include "ctl/person.h"

#include "core/email.h"
#include "core/text.h"
#include "ctl/context.h"
#include "db/sql.h"
#include "identity/people/users.h"
#include "json/parse.h"
#include "resources/enquiries/removal.h"
#include "resources/enquiries/rows.h"

namespace tradepost::ctl {
namespace {

enum class Kind { text, number, time, id };

struct Column {
    const char* name;
    Kind kind;
};

Json cell(const db::Row& row, std::size_t column, Kind kind) {
    if (row.is_null(column)) return nullptr;
    switch (kind) {
        case Kind::text:
            return row.text(column);
        case Kind::number:
            return row.integer(column);
        case Kind::time:
            return core::to_rfc3339(row.time(column));
        case Kind::id:
            return row.uuid(column).to_string();
    }
    throw std::logic_error("no such kind of column");
}

Json rows(db::Connection& connection, std::initializer_list<Column> columns, const std::string& sql,
          std::initializer_list<db::Value> values) {
    Json all = Json::array();
    for (const auto& row : connection.query(sql, values)) {
        Json object = Json::object();
        std::size_t i = 0;
        for (const auto& column : columns) {
            object[column.name] = cell(row, i, column.kind);
            ++i;
        }
        all.push_back(std::move(object));
    }
    return all;
}

// As their senders see them: the note is the recipient's.
Json enquiries_of(db::Connection& connection, const Person& person) {
    Json all = Json::array();
    for (const auto& id : person.enquiries)
        for (auto& row :
             connection.query("SELECT " + enquiries::columns_of_sender() + " FROM enquiries t WHERE t.id = ?", {id})) {
            auto enquiry = enquiries::read(row);
            enquiry.note.reset();
            all.push_back(Json::parse(enquiries::render(enquiry)));
        }
    return all;
}

void add_account(db::Connection& connection, const identity::User& user, Json& into) {
    const auto of = [&](const char* name, std::initializer_list<Column> columns, const std::string& sql) {
        into[name] = rows(connection, columns, sql, {user.id});
    };
    into["user"] = {{"id", user.id.to_string()},
                    {"email", user.email},
                    {"name", user.name},
                    {"hasPassword", user.password_hash.has_value()},
                    {"disabledAt", to_json(user.disabled_at)},
                    {"createdAt", core::to_rfc3339(user.created_at)},
                    {"updatedAt", core::to_rfc3339(user.updated_at)}};
    of("memberships",
       {{"organisation", Kind::text},
        {"name", Kind::text},
        {"role", Kind::text},
        {"enquiryMail", Kind::text},
        {"createdAt", Kind::time}},
       "SELECT o.slug, o.name, m.role, m.enquiry_mail, m.created_at FROM memberships m JOIN organisations o ON o.id = "
       "m.organisation_id WHERE "
       "m.user_id = ? ORDER BY o.slug");
    of("tokens",
       {{"id", Kind::id},
        {"name", Kind::text},
        {"scopes", Kind::text},
        {"createdAt", Kind::time},
        {"expiresAt", Kind::time},
        {"revokedAt", Kind::time},
        {"lastUsedAt", Kind::time}},
       "SELECT id, name, scopes, created_at, expires_at, revoked_at, last_used_at FROM api_tokens WHERE user_id = ? ORDER BY "
       "created_at, id");
    of("sessions", {{"createdAt", Kind::time}, {"lastSeenAt", Kind::time}, {"address", Kind::text}, {"userAgent", Kind::text}},
       "SELECT created_at, last_seen_at, address, user_agent FROM sessions WHERE user_id = ? ORDER BY created_at, hash");
    of("secondFactors", {{"createdAt", Kind::time}, {"enabledAt", Kind::time}},
       "SELECT created_at, enabled_at FROM second_factors WHERE user_id = ?");
    of("passwordResets", {{"createdAt", Kind::time}, {"expiresAt", Kind::time}},
       "SELECT created_at, expires_at FROM password_resets WHERE user_id = ? ORDER BY created_at, hash");
    of("notificationTokens",
       {{"platform", Kind::text}, {"deviceName", Kind::text}, {"createdAt", Kind::time}, {"updatedAt", Kind::time}},
       "SELECT platform, device_name, created_at, updated_at FROM notification_tokens WHERE user_id = ? ORDER BY created_at, "
       "hash");
    of("uploads",
       {{"id", Kind::id},
        {"organisationId", Kind::id},
        {"filename", Kind::text},
        {"contentType", Kind::text},
        {"size", Kind::number},
        {"createdAt", Kind::time}},
       "SELECT id, organisation_id, filename, content_type, size, created_at FROM uploads WHERE user_id = ? ORDER BY id");
    into["auditEvents"] =
        rows(connection,
             {{"at", Kind::time},
              {"firstAt", Kind::time},
              {"times", Kind::number},
              {"event", Kind::text},
              {"actor", Kind::text},
              {"userId", Kind::id},
              {"organisationId", Kind::id},
              {"address", Kind::text},
              {"detail", Kind::text}},
             "SELECT happened_at, first_at, times, event, actor, user_id, organisation_id, address, detail FROM audit_log WHERE "
             "user_id = ? OR actor = ? ORDER BY happened_at, id",
             {user.id, user.id.to_string()});
}

}  // namespace

Person find_person(db::Connection& connection, const std::string& email) {
    Person person;
    const auto address = core::parse_email(email);
    person.email = address.value_or(std::string(core::trim(email)));
    person.email_key = identity::email_key(person.email);
    person.user = identity::Users(connection).find_by_email(person.email);
    std::optional<core::Uuid> id;
    if (person.user) id = person.user->id;
    person.enquiries = enquiries::find_of_person(connection, id, person.email_key);
    // Earlier releases took some addresses that are none: whoever has one is found all the same.
    if (!address && !person.user && person.enquiries.empty()) throw WrongUsage("--email: must be an email address");
    return person;
}

Json person_document(db::Connection& connection, const Person& person, core::Time now) {
    Json document{{"email", person.email}, {"exportedAt", core::to_rfc3339(now)}, {"user", nullptr}};
    std::optional<core::Uuid> user;
    if (person.user) user = person.user->id;
    if (person.user) add_account(connection, *person.user, document);
    document["invitations"] =
        rows(connection,
             {{"organisation", Kind::text},
              {"email", Kind::text},
              {"role", Kind::text},
              {"createdAt", Kind::time},
              {"expiresAt", Kind::time}},
             "SELECT o.slug, i.email, i.role, i.created_at, i.expires_at FROM invitations i JOIN organisations o ON o.id = "
             "i.organisation_id WHERE i.email_key = ? ORDER BY i.created_at, i.id",
             {db::Binary{person.email_key}});
    // Also that somebody else wants this address.
    document["emailChanges"] =
        rows(connection, {{"email", Kind::text}, {"createdAt", Kind::time}, {"expiresAt", Kind::time}},
             "SELECT email, created_at, expires_at FROM email_changes WHERE user_id = ? OR email_key = ? ORDER BY created_at, id",
             {user, db::Binary{person.email_key}});
    document["enquiries"] = enquiries_of(connection, person);
    return document;
}

}  // namespace tradepost::ctl
