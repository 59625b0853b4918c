// User accounts.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/connection.h"
#include "domain/user.h"

namespace tradepost::repo {

// Borrows the connection. Every call is one round trip and throws db::Unavailable or db::Error.
class Users {
public:
    explicit Users(db::Connection& connection) : connection_(connection) {}

    std::optional<domain::User> find(const core::Uuid& id);
    std::optional<domain::User> find_by_email(std::string_view email);  // as addresses compare: domain::email_key()

    // In the order of their email keys, from the first one behind `after` (an address; empty: from the beginning).
    std::vector<domain::User> list(std::string_view after = {}, int limit = 1000);

    // Throws db::Error with is_duplicate_key() when the id or the address is another user's.
    void insert(const domain::User& user);

    // All columns of the user with that id. False when there is none; throws as insert().
    bool update(const domain::User& user);

    // False when there is no such user. A user who is disabled already keeps the time of it.
    bool disable(const core::Uuid& id, core::Time now);
    bool set_password(const core::Uuid& id, std::string_view hash, core::Time now);

    // For the same password hashed anew: false, and nothing done, when `old_hash` is not the user's any more.
    bool replace_password_hash(const core::Uuid& id, std::string_view old_hash, std::string_view new_hash);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::repo
