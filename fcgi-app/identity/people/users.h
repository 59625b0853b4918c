// Users in the database: people, and no integrations (identity/tokens/integrations.h).
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"
#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::identity {

// A user: a person who signs in.

struct User {
    core::Uuid id;
    std::string email;  // as entered, trimmed
    std::string name;
    std::optional<std::string> password_hash;  // none: cannot sign in with a password
    std::optional<core::Time> disabled_at;
    core::Time created_at, updated_at;
};

inline constexpr std::int64_t max_email_length = 254;      // code points
inline constexpr std::size_t max_email_key_length = 1024;  // bytes: what the columns hold
inline constexpr std::size_t max_password_bytes = 1024;

// The form in which addresses are compared: trimmed, case-folded (Unicode, full) and composed (NFC). Accents stay, since they tell
// people apart. In text that is not valid UTF-8 only ASCII letters are folded.
std::string email_key(std::string_view email);

// Whether the columns can hold its key: that of an address that Kind::email takes may be longer, since letters can fold into several.
bool has_storable_key(std::string_view email);

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
    // False when there is no such user, or the user is not disabled.
    bool enable(const core::Uuid& id, core::Time now);
    bool set_password(const core::Uuid& id, std::string_view hash, core::Time now);
    bool set_name(const core::Uuid& id, std::string_view name, core::Time now);
    bool set_email(const core::Uuid& id, std::string_view email, core::Time now);  // throws as insert()

    // Stores a new hash of the same password. False, without effect, when the user has another hash than `old_hash` by now.
    bool replace_password_hash(const core::Uuid& id, std::string_view old_hash, std::string_view new_hash);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::identity
