// The dashboard's sessions. What the cookie holds is given out once; the database knows its hash only.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/time.h"
#include "db/connection.h"
#include "repo/caller.h"

namespace tradepost::repo {

inline constexpr std::chrono::hours session_idle{12};
inline constexpr std::chrono::minutes session_seen_interval{5};

struct Session {
    std::string hash;  // token_hash() of what the cookie holds
    core::Uuid user_id;
    std::string csrf_token;  // 32 bytes; requests carry them in hexadecimal
    core::Time created_at, last_seen_at;

    core::Time expires_at() const { return last_seen_at + session_idle; }
};

// A session that may be used, and whose it is.
struct ActiveSession : Caller {
    Session session;
};

struct NewSession {
    Session session;
    std::string plain;  // for the cookie: 64 lower-case hexadecimal characters
};

// What a user's password becomes: `old_hash` is the one that was verified.
struct NewPassword {
    std::string_view old_hash, new_hash;
    bool revoke_tokens = false;
};

// Why a password was not changed.
enum class NotChanged {
    session_ended,          // or its user disabled
    password_hash_differs,  // stored anew since it was verified
};

// Borrows the connection. Calls throw db::Unavailable or db::Error unless they say otherwise.
class Sessions {
public:
    explicit Sessions(db::Connection& connection) : connection_(connection) {}

    // Empty when the session is unknown, was idle too long or has ended, or its user is disabled. One round trip.
    std::optional<ActiveSession> find_active(std::string_view hash, core::Time now, Wanted wanted = Wanted::roles);

    // A new session for who knew the password of `password_hash`, in a transaction of its own. Empty when the user has another
    // hash by now, is disabled or gone: whoever ends a user's sessions after such a change ends all that the old password could
    // begin.
    std::optional<NewSession> begin(const core::Uuid& user_id, std::string_view password_hash, core::Time now);

    // Stores the password, ends all of the user's sessions and begins one in place of `session`, in one transaction.
    std::variant<NewSession, NotChanged> change_password(const Session& session, const NewPassword& password, core::Time now);

    // False when there was none.
    bool end(std::string_view hash);
    // All of a user's; their number.
    std::uint64_t end_all(const core::Uuid& user_id);

    // Whether touch() would write, by what is known of the session.
    static bool touch_is_due(core::Time last_seen_at, core::Time now) { return last_seen_at <= now - session_seen_interval; }

    // Writes last_seen_at unless it is younger than session_seen_interval or somebody else has the row locked: never waits for a
    // lock. Failures are logged.
    void touch(std::string_view hash, core::Time now) noexcept;

private:
    NewSession insert(const core::Uuid& user_id, core::Time now);

    db::Connection& connection_;
};

}  // namespace tradepost::repo
