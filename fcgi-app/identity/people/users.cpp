#include "identity/people/users.h"

#include <utf8proc.h>

#include <cstdlib>
#include <memory>

#include "core/text.h"

namespace tradepost::identity {

std::string email_key(std::string_view email) {
    email = core::trim(email);
    utf8proc_uint8_t* folded = nullptr;
    const auto options = utf8proc_option_t(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
    const auto length =
        utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(email.data()), utf8proc_ssize_t(email.size()), &folded, options);
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(folded, &std::free);
    if (length < 0) return core::lower_ascii(email);
    return {reinterpret_cast<const char*>(folded), std::size_t(length)};
}

bool has_storable_key(std::string_view email) {
    return email_key(email).size() <= max_email_key_length;
}

namespace {

const std::string select_user = "SELECT id, email, name, password_hash, disabled_at, created_at, updated_at FROM users ";

User to_user(const db::Row& row) {
    return {row.uuid(0), row.text(1), row.text(2), row.opt_text(3), row.opt_time(4), row.time(5), row.time(6)};
}

std::optional<User> to_optional(const db::Rows& rows) {
    if (rows.empty()) return {};
    return to_user(rows.front());
}

}  // namespace

std::optional<User> Users::find(const core::Uuid& id) {
    return to_optional(connection_.query(select_user + "WHERE id = ? AND email IS NOT NULL LIMIT 1", {id}));
}

std::optional<User> Users::find_by_email(std::string_view email) {
    const auto key = email_key(email);
    return to_optional(connection_.query(select_user + "WHERE email_key = ? LIMIT 1", {db::Binary{key}}));
}

std::vector<User> Users::list(std::string_view after, int limit) {
    const auto key = email_key(after);
    std::vector<User> users;
    const auto rows = connection_.query(select_user + "WHERE email_key > ? ORDER BY email_key LIMIT ?", {db::Binary{key}, limit});
    for (const auto& row : rows) users.push_back(to_user(row));
    return users;
}

void Users::insert(const User& user) {
    const auto key = email_key(user.email);
    connection_.execute(
        "INSERT INTO users (id, email, email_key, name, password_hash, disabled_at, created_at, updated_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        {user.id, user.email, db::Binary{key}, user.name, user.password_hash, user.disabled_at, user.created_at,
         user.updated_at});
}

bool Users::update(const User& user) {
    const auto key = email_key(user.email);
    return connection_.execute(
               "UPDATE users SET email = ?, email_key = ?, name = ?, password_hash = ?, disabled_at = ?, created_at = ?, "
               "updated_at = ? WHERE id = ?",
               {user.email, db::Binary{key}, user.name, user.password_hash, user.disabled_at, user.created_at, user.updated_at,
                user.id}) > 0;
}

bool Users::disable(const core::Uuid& id, core::Time now) {
    // MySQL assigns from left to right: updated_at first, while disabled_at is still the old one.
    return connection_.execute(
               "UPDATE users SET updated_at = IF(disabled_at IS NULL, ?, updated_at), disabled_at = COALESCE(disabled_at, ?) "
               "WHERE id = ?",
               {now, now, id}) > 0;
}

bool Users::enable(const core::Uuid& id, core::Time now) {
    return connection_.execute("UPDATE users SET disabled_at = NULL, updated_at = ? WHERE id = ? AND disabled_at IS NOT NULL",
                               {now, id}) > 0;
}

bool Users::set_password(const core::Uuid& id, std::string_view hash, core::Time now) {
    return connection_.execute("UPDATE users SET password_hash = ?, updated_at = ? WHERE id = ?", {hash, now, id}) > 0;
}

bool Users::set_name(const core::Uuid& id, std::string_view name, core::Time now) {
    return connection_.execute("UPDATE users SET name = ?, updated_at = ? WHERE id = ?", {name, now, id}) > 0;
}

bool Users::set_email(const core::Uuid& id, std::string_view email, core::Time now) {
    const auto key = email_key(email);
    return connection_.execute("UPDATE users SET email = ?, email_key = ?, updated_at = ? WHERE id = ?",
                               {email, db::Binary{key}, now, id}) > 0;
}

bool Users::replace_password_hash(const core::Uuid& id, std::string_view old_hash, std::string_view new_hash) {
    return connection_.execute("UPDATE users SET password_hash = ? WHERE id = ? AND password_hash = ?",
                               {new_hash, id, old_hash}) > 0;
}

}  // namespace tradepost::identity
