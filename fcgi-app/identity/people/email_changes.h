// Other addresses that users want, each of which takes effect by the link in a letter to it.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "db/connection.h"
#include "identity/sessions/sessions.h"

namespace tradepost::identity {

inline constexpr std::chrono::minutes email_change_lifetime{60};
inline constexpr int max_email_changes = 3;  // of a user within that time: more letters would only annoy

struct EmailChange {
    core::Uuid id;
    std::string email;
    core::Time expires_at;
};

// What the letter to the new address says.
struct EmailChangeLetter {
    std::optional<std::string>
        token;  // 64 lower-case hexadecimal characters, which are stored nowhere; none: another user has the address
    core::Uuid user_id;
    std::string name, old_email, new_email;
};

enum class EmailFault {
    unknown_link,  // or used, expired, withdrawn, or of another user
    taken,         // by another user since the letter was sent
};

// Borrows the connection. Calls throw db::Unavailable or db::Error.
class EmailChanges {
public:
    explicit EmailChanges(db::Connection& connection) : connection_(connection) {}

    // The one that waits for its link, if there is one.
    std::optional<EmailChange> open(const core::Uuid& user_id, core::Time now);

    // Stores it in place of the one that waits, whoever has the address. Empty when the user has begun max_email_changes lately. Inside a
    // transaction.
    std::optional<EmailChange> begin(const core::Uuid& user_id, std::string_view email, core::Time now);

    // The one that waits takes no effect any more. False when there is none.
    bool withdraw(const core::Uuid& user_id, core::Time now);

    // A new link in place of the one of an earlier attempt. Empty when the change waits no more or its user is disabled.
    std::optional<EmailChangeLetter> write_letter(const core::Uuid& id, core::Time now);

    // Gives the session's user the new address, which is returned, and ends the user's other sessions and the links of letters to the old
    // address. Of several calls with one token one succeeds.
    std::variant<std::string, EmailFault> finish(const Session& session, std::string_view token, core::Time now);

private:
    bool end_open(const core::Uuid& user_id, core::Time now);

    db::Connection& connection_;
};

}  // namespace tradepost::identity
