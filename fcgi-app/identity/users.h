// Users in the database: people, and no integrations (identity/integrations.h).
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/connection.h"
#include "identity/user.h"

namespace tradepost::identity {

// Borrows the connection. Every call is one round trip and throws db::Unavailable or db::Error.
class Users {
public:
    explicit Users(db::Connection& connection) : connection_(connection) {}

    std::optional<User> find(const core::Uuid& id);
    std::optional<User> find_by_email(std::string_view email);  // addresses are compared by email_key()

    // At most `limit` in the order of their email keys, those after the address `after`; empty: from the beginning.
    std::vector<User> list(std::string_view after = {}, int limit = 1000);

    // Throws db::Error with is_duplicate_key() when the id or the address belongs to another user.
    void insert(const User& user);

    // All columns of the user with that id. False when there is none; throws as insert().
    bool update(const User& user);

    // False when there is no such user. A user who is disabled already keeps the first time.
    bool disable(const core::Uuid& id, core::Time now);
    bool set_password(const core::Uuid& id, std::string_view hash, core::Time now);
    bool set_name(const core::Uuid& id, std::string_view name, core::Time now);
    bool set_email(const core::Uuid& id, std::string_view email, core::Time now);  // throws as insert()

    // Stores a new hash of the same password. False, without effect, when the user has another hash than `old_hash` by now.
    bool replace_password_hash(const core::Uuid& id, std::string_view old_hash, std::string_view new_hash);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::identity
