#include "identity/people/email_changes.h"

#include "audit/record.h"
#include "core/crypto.h"
#include "core/hex.h"
#include "db/failure.h"
#include "identity/people/users.h"
#include "identity/tokens/tokens.h"

namespace tradepost::identity {

std::optional<EmailChange> EmailChanges::open(const core::Uuid& user_id, core::Time now) {
    const auto rows = connection_.query(
        "SELECT id, email, expires_at FROM email_changes WHERE user_id = ? AND expires_at > ? ORDER BY created_at DESC LIMIT 1",
        {user_id, now});
    if (rows.empty()) return {};
    return EmailChange{rows.front().uuid(0), rows.front().text(1), rows.front().time(2)};
}

std::optional<EmailChange> EmailChanges::begin(const core::Uuid& user_id, std::string_view email, core::Time now) {
    connection_.query("SELECT 1 FROM users WHERE id = ? LIMIT 1 FOR UPDATE", {user_id});
    db::conflict_on(connection_, std::span(&user_id, 1));
    const auto lately =
        connection_.query("SELECT COUNT(*) FROM email_changes WHERE user_id = ? AND created_at > ? LOCK IN SHARE MODE",
                          {user_id, now - email_change_lifetime});
    if (lately.front().integer(0) >= max_email_changes) return {};
    end_open(user_id, now);
    EmailChange change{core::Uuid::v7(now), std::string(email), now + email_change_lifetime};
    const auto key = email_key(email);
    connection_.execute(
        "INSERT INTO email_changes (id, user_id, email, email_key, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
        {change.id, user_id, email, db::Binary{key}, now, change.expires_at});
    audit::record(connection_, now, {.event = audit::Event::email_change_asked, .user = user_id, .detail = email});
    return change;
}

bool EmailChanges::withdraw(const core::Uuid& user_id, core::Time now) {
    return db::in_transaction(connection_, [&] {
        const bool withdrawn = end_open(user_id, now);
        if (withdrawn) audit::record(connection_, now, {.event = audit::Event::email_change_withdrawn, .user = user_id});
        return withdrawn;
    });
}

bool EmailChanges::end_open(const core::Uuid& user_id, core::Time now) {
    // It goes on counting against max_email_changes.
    return connection_.execute("UPDATE email_changes SET hash = NULL, expires_at = ? WHERE user_id = ? AND expires_at > ?",
                               {now, user_id, now}) > 0;
}

std::optional<EmailChangeLetter> EmailChanges::write_letter(const core::Uuid& id, core::Time now) {
    return db::in_transaction(connection_, [&]() -> std::optional<EmailChangeLetter> {
        const auto rows = connection_.query(
            "SELECT u.id, u.name, u.email, c.email FROM email_changes c JOIN users u ON u.id = c.user_id "
            "WHERE c.id = ? AND c.expires_at > ? AND u.disabled_at IS NULL LIMIT 1",
            {id, now});
        if (rows.empty()) return {};
        const auto& row = rows.front();
        EmailChangeLetter letter{{}, row.uuid(0), row.text(1), row.text(2), row.text(3)};
        const auto owner = Users(connection_).find_by_email(letter.new_email);
        if (owner && owner->id != letter.user_id) return letter;
        letter.token = core::to_hex(core::random_bytes(32));
        const auto hash = token_hash(*letter.token);
        connection_.execute("UPDATE email_changes SET hash = ? WHERE id = ?", {db::Binary{hash}, id});
        return letter;
    });
}

std::variant<std::string, EmailFault> EmailChanges::finish(const Session& session, std::string_view token, core::Time now) {
    using Result = std::variant<std::string, EmailFault>;
    const auto& user = session.user_id;
    const auto hash = token_hash(token);
    try {
        return db::in_transaction(connection_, [&]() -> Result {
            // The user first, as all who change passwords and sessions.
            const auto before =
                connection_.query("SELECT email FROM users WHERE id = ? AND disabled_at IS NULL LIMIT 1 FOR UPDATE", {user});
            const auto change = connection_.query(
                "SELECT email FROM email_changes WHERE hash = ? AND user_id = ? AND expires_at > ? LIMIT 1 FOR UPDATE",
                {db::Binary{hash}, user, now});
            if (before.empty() || change.empty()) return EmailFault::unknown_link;
            const auto email = change.front().text(0);
            Users(connection_).set_email(user, email, now);
            end_open(user, now);
            connection_.execute("DELETE FROM password_resets WHERE user_id = ?", {user});
            connection_.execute("DELETE FROM sessions WHERE user_id = ? AND hash <> ?", {user, db::Binary{session.hash}});
            audit::record(connection_, now,
                          {.event = audit::Event::email_changed, .user = user, .detail = before.front().text(0)});
            return email;
        });
    } catch (const db::Error& error) {
        if (!error.is_duplicate_key()) throw;
        return EmailFault::taken;
    }
}

}  // namespace tradepost::identity
