// Sessions of the dashboard. The database holds the hash of a cookie's value, not the value.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "audit/events.h"
#include "core/time.h"
#include "db/connection.h"
#include "identity/caller.h"

namespace tradepost::identity {

inline constexpr std::chrono::hours session_idle{12};
inline constexpr std::chrono::hours session_lifetime{7 * 24};  // from sign-in, however much it is used
inline constexpr std::chrono::minutes session_seen_interval{5};
// What gives lasting access is done by who typed the password within this time.
inline constexpr std::chrono::minutes confirmation_lifetime{15};

struct Session {
    std::string hash;  // token_hash() of the cookie's value
    core::Uuid user_id;
    std::string csrf_token;  // 32 bytes; requests carry them in hexadecimal
    core::Time created_at, last_seen_at, confirmed_at;

    bool is_confirmed(core::Time now) const { return now < confirmed_at + confirmation_lifetime; }
    core::Time expires_at() const { return expires_at(last_seen_at); }
    // When it ends if it is used at `last_use` and not again.
    core::Time expires_at(core::Time last_use) const {
        return std::min<core::Time>(last_use + session_idle, created_at + session_lifetime);
    }
};

// The client of a session: its address, and the User-Agent as it was sent.
struct SessionClient {
    std::string_view address, user_agent;
};

// A session as its user sees it in a list.
struct ListedSession {
    core::Uuid id;
    Session session;
    std::string address, user_agent;
};

// By which a user names a session to end: the first half of its hash. It lets nobody use the session.
core::Uuid session_id(std::string_view hash);

// A session that may be used, and its user.
struct ActiveSession : Caller {
    Session session;
};

struct MintedSession {
    Session session;
    std::string plain;  // for the cookie: 64 lower-case hexadecimal characters
};

// A change of password; `old_hash` is the one that was verified.
struct NewPassword {
    std::string_view old_hash, new_hash;
    bool revoke_tokens = false;
    SessionClient client;
};

// Why a password was not changed.
enum class NotChanged {
    session_ended,          // or its user disabled
    password_hash_differs,  // replaced since it was verified
};

// Borrows the connection. Calls throw db::Unavailable or db::Error unless they say otherwise.
class Sessions {
public:
    explicit Sessions(db::Connection& connection) : connection_(connection) {}

    // Empty when the session is unknown, has ended, was idle or has lived too long, or its user is disabled. One round trip.
    std::optional<ActiveSession> find_active(std::string_view hash, core::Time now, CallerDetail detail = CallerDetail::roles);

    // A new session after `password_hash` was verified, in a transaction of its own. Empty when the user has another hash by now,
    // is disabled or gone: a change of password that ends all sessions thus leaves none that the old password began.
    std::optional<MintedSession> begin(const core::Uuid& user_id, std::string_view password_hash, const SessionClient& client,
                                       core::Time now);

    // Records that the user has typed the password, whose hash was verified. False when the session has ended or the user has another
    // hash by now or is disabled.
    bool confirm(const Session& session, std::string_view password_hash, core::Time now);

    // Stores the password, ends all of the user's sessions and begins one in place of `session`, in one transaction.
    std::variant<MintedSession, NotChanged> change_password(const Session& session, const NewPassword& password, core::Time now);

    // The user's active sessions, the one used last first; at most 1000.
    std::vector<ListedSession> list_active(const core::Uuid& user_id, core::Time now);

    // False when there was no such session. `event` is what the audit log calls it.
    bool end(std::string_view hash, core::Time now, audit::Event event = audit::Event::sign_out);
    // False when it is no session of that user.
    bool end_own(const core::Uuid& user_id, const core::Uuid& id, core::Time now);
    // Ends all sessions of the user but this one; returns their number.
    std::uint64_t end_others(const Session& kept, core::Time now);
    // Ends all sessions of a user, and the change of address that one of them began; returns their number. Not recorded by itself: it
    // follows from something that is.
    std::uint64_t end_all(const core::Uuid& user_id);

    // Whether touch() would write.
    static bool touch_is_due(core::Time last_seen_at, core::Time now) { return last_seen_at <= now - session_seen_interval; }

    // Writes last_seen_at and the address unless it is younger than session_seen_interval or another transaction has locked the row: never waits for
    // a lock. Failures are logged.
    void touch(std::string_view hash, std::string_view address, core::Time now) noexcept;

private:
    MintedSession insert(const core::Uuid& user_id, const SessionClient& client, core::Time now);

    db::Connection& connection_;
};

}  // namespace tradepost::identity
