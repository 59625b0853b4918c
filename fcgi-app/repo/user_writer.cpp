#include "repo/user_writer.h"

#include "repo/content_writer.h"

namespace tradepost::repo {
namespace {

const std::string& columns() {
    static const std::string list = "id" + detail::columns(user_fields());
    return list;
}

domain::User read(const db::Row& row) {
    domain::User user;
    user.id = row.uuid(0);
    std::size_t at = 1;
    for (const auto& field : user_fields()) std::visit([&](auto member) { detail::read(row, at++, user.*member); }, field.member);
    return user;
}

}  // namespace

std::span<const domain::Field<domain::User>> user_fields() {
    using domain::User;
    namespace rules = domain::rules;
    static const domain::Field<User> fields[] = {
        {"email", {domain::Kind::email, domain::Presence::required}, &User::email},
        {"name", rules::required_text(120), &User::name},
        {"passwordHash", rules::text(255), &User::password_hash},
        {"disabledAt", rules::time(), &User::disabled_at},
        {"createdAt", rules::time(domain::Presence::defaulted), &User::created_at},
        {"updatedAt", rules::time(domain::Presence::defaulted), &User::updated_at},
    };
    return fields;
}

std::vector<domain::User> UserWriter::find(std::span<const core::Uuid> ids, std::span<const std::string> email_keys) {
    std::map<core::Uuid, domain::User> found;
    const auto look = [&](const char* column, const std::vector<db::Value>& values) {
        if (values.empty()) return;
        for (const auto& row : connection_.query(
                 "SELECT " + columns() + " FROM users WHERE " + column + " IN (" + placeholders(values.size()) + ") FOR UPDATE",
                 values))
            found.emplace(row.uuid(0), read(row));
    };
    look("id", {ids.begin(), ids.end()});
    std::vector<db::Value> keys;
    for (const auto& key : email_keys) keys.emplace_back(db::Binary{key});
    look("email_key", keys);
    std::vector<domain::User> all;
    for (auto& [id, user] : found) all.push_back(std::move(user));
    return all;
}

std::vector<domain::User> UserWriter::after(std::optional<core::Uuid> id, int limit) {
    std::vector<domain::User> all;
    for (const auto& row : connection_.query(
             "SELECT " + columns() + " FROM users" + (id ? " WHERE id > ?" : " WHERE ? IS NULL") + " ORDER BY id LIMIT ?",
             {id, limit}))
        all.push_back(read(row));
    return all;
}

void UserWriter::write(std::span<const domain::User> users) {
    const std::string names = "id, email_key" + detail::columns(user_fields());
    BulkInsert rows(connection_, "users (" + names + ")", detail::update_by_id(names));
    try {
        for (const auto& user : users) {
            const std::string key = domain::email_key(user.email);
            std::string row = db::literal(user.id) + ", " + db::literal(db::Binary{key});
            for (const auto& field : user_fields())
                std::visit([&](auto member) { row.append(", ").append(detail::literal(user.*member)); }, field.member);
            rows.add(row);
        }
        rows.flush();
    } catch (const db::Error& error) {
        if (error.code == 1048) throw db::Error(1062, "an email address is taken in users");
        throw;
    }
}

std::map<core::Uuid, UserWriter::Roles> UserWriter::roles(std::span<const core::Uuid> ids) {
    std::map<core::Uuid, Roles> all;
    if (ids.empty()) return all;
    const std::vector<db::Value> values(ids.begin(), ids.end());
    for (const auto& row : connection_.query(
             "SELECT user_id, organisation_id, role FROM memberships WHERE user_id IN (" + placeholders(values.size()) + ")",
             values))
        all[row.uuid(0)][row.uuid(1)] = domain::parse_role(row.text(2)).value_or(domain::Role::member);
    return all;
}

void UserWriter::set_roles(const core::Uuid& id, const Roles& roles, core::Time now) {
    std::vector<db::Value> kept{db::Value(id)};
    for (const auto& [organisation, role] : roles) kept.emplace_back(organisation);
    connection_.execute("DELETE FROM memberships WHERE user_id = ?" +
                            (roles.empty() ? std::string() : " AND organisation_id NOT IN (" + placeholders(roles.size()) + ")"),
                        kept);
    BulkInsert rows(connection_, "memberships (user_id, organisation_id, role, created_at)", "role = VALUES(role)");
    for (const auto& [organisation, role] : roles)
        rows.add(db::literal(id) + ", " + db::literal(organisation) + ", " + db::literal(domain::to_string(role)) + ", " +
                 db::literal(now));
    rows.flush();
}

}  // namespace tradepost::repo
