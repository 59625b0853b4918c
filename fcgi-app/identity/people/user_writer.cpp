#include "identity/people/user_writer.h"

#include "db/bulk_insert.h"
#include "db/sql.h"
#include "fields/rows.h"

namespace tradepost::identity {
namespace {

const std::string& user_columns() {
    static const std::string list = "id" + fields::columns(user_fields());
    return list;
}

User read_user(db::Row& row) {
    User user;
    user.id = row.uuid(0);
    fields::read_columns(row, 1, user_fields(), user);
    return user;
}

}  // namespace

std::span<const fields::Field<User>> user_fields() {
    namespace rules = fields::rules;
    static const fields::Field<User> fields[] = {
        {"email", {fields::Kind::email, fields::Presence::required}, &User::email},
        {"name", fields::rules::name(120), &User::name},
        {"passwordHash", fields::rules::exact(255, fields::Presence::optional), &User::password_hash},
        {"disabledAt", fields::rules::time(), &User::disabled_at},
        {"createdAt", fields::rules::time(fields::Presence::defaulted), &User::created_at},
        {"updatedAt", fields::rules::time(fields::Presence::defaulted), &User::updated_at},
    };
    return fields;
}

std::vector<User> UserWriter::find(std::span<const core::Uuid> ids, std::span<const std::string> email_keys, db::Locks locks) {
    std::map<core::Uuid, User> found;
    const auto look = [&](const std::string& column, const std::string& index, const std::vector<db::Value>& values) {
        if (values.empty()) return;
        for (auto& row : connection_.query("SELECT " + user_columns() + " FROM users FORCE INDEX (" + index +
                                               ") WHERE email IS NOT NULL AND " + column + " IN (" +
                                               db::placeholders(values.size()) + ")" + std::string(ending(locks)),
                                           values))
            found.emplace(row.uuid(0), read_user(row));
    };
    look("id", "PRIMARY", {ids.begin(), ids.end()});
    std::vector<db::Value> keys;
    for (const auto& key : email_keys) keys.emplace_back(db::Binary{key});
    look("email_key", "users_email", keys);
    std::vector<User> all;
    for (auto& [id, user] : found) all.push_back(std::move(user));
    return all;
}

std::vector<core::Uuid> UserWriter::integrations(std::span<const core::Uuid> ids) {
    std::vector<core::Uuid> found;
    if (ids.empty()) return found;
    for (auto& row :
         connection_.query("SELECT id FROM users WHERE email IS NULL AND id IN (" + db::placeholders(ids.size()) + ")",
                           std::vector<db::Value>(ids.begin(), ids.end())))
        found.push_back(row.uuid(0));
    return found;
}

std::vector<User> UserWriter::after(std::optional<core::Uuid> id, int limit) {
    std::vector<User> all;
    for (auto& row : connection_.query("SELECT " + user_columns() + " FROM users WHERE email IS NOT NULL AND " +
                                           (id ? "id > ?" : "? IS NULL") + " ORDER BY id LIMIT ?",
                                       {id, limit}))
        all.push_back(read_user(row));
    return all;
}

void UserWriter::write(std::span<const User> users) {
    const std::string names = "id, email_key" + fields::columns(user_fields());
    // The first assignment fails, as the second one, so that no integration becomes a person who signs in.
    db::BulkInsert rows(connection_, "users (" + names + ")", "id = IF(email IS NULL, NULL, id), " + db::update_by_id(names));
    try {
        for (const auto& user : users) {
            const std::string key = email_key(user.email);
            std::string row = db::literal(user.id) + ", " + db::literal(db::Binary{key});
            fields::append_literals(row, user_fields(), user);
            rows.add(row);
        }
        rows.flush();
    } catch (const db::Error& error) {
        if (error.code == 1048) throw db::Error(1062, "an email address is taken in users, or an id is that of an integration");
        throw;
    }
}

std::map<core::Uuid, UserWriter::Roles> UserWriter::roles(std::span<const core::Uuid> ids) {
    std::map<core::Uuid, Roles> all;
    if (ids.empty()) return all;
    const std::vector<db::Value> values(ids.begin(), ids.end());
    for (auto& row : connection_.query(
             "SELECT user_id, organisation_id, role FROM memberships WHERE user_id IN (" + db::placeholders(values.size()) + ")",
             values))
        all[row.uuid(0)][row.uuid(1)] = parse_role(row.text(2)).value_or(Role::member);
    return all;
}

void UserWriter::set_roles(const core::Uuid& id, const Roles& roles, core::Time now) {
    std::vector<db::Value> kept{db::Value(id)};
    for (const auto& [organisation, role] : roles) kept.emplace_back(organisation);
    connection_.execute(
        "DELETE FROM memberships WHERE user_id = ?" +
            (roles.empty() ? std::string() : " AND organisation_id NOT IN (" + db::placeholders(roles.size()) + ")"),
        kept);
    db::BulkInsert rows(connection_, "memberships (user_id, organisation_id, role, created_at)", "role = VALUES(role)");
    for (const auto& [organisation, role] : roles)
        rows.add(db::literal(id) + ", " + db::literal(organisation) + ", " + db::literal(to_string(role)) + ", " +
                 db::literal(now));
    rows.flush();
}

}  // namespace tradepost::identity
