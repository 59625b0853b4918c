#include "identity/people/invitations.h"

#include "core/crypto.h"
#include "core/hex.h"
#include "core/present.h"
#include "identity/people/users.h"
#include "identity/tokens/issued.h"
#include "identity/tokens/tokens.h"

namespace tradepost::identity {
namespace {

const std::string select_invitation =
    "SELECT id, organisation_id, email, role, created_at, expires_at, invited_by FROM invitations WHERE ";

Invitation read_invitation(const db::Row& row) {
    return {row.uuid(0), row.uuid(1), row.text(2), core::present(parse_role(row.text(3))), row.time(4), row.time(5)};
}

std::optional<Invitation> first_invitation(const db::Rows& rows) {
    if (rows.empty()) return {};
    return read_invitation(rows.front());
}

// Whether the sender of the invitation may still invite; `inviter` is of its row.
bool stands(db::Connection& connection, const std::optional<core::Uuid>& inviter, const core::Uuid& organisation_id, bool lock) {
    return inviter && Issued(connection).may_issue(*inviter, organisation_id, lock);
}

}  // namespace

std::vector<Invitation> Invitations::of_organisation(const core::Uuid& organisation_id, core::Time now) {
    std::vector<Invitation> all;
    for (const auto& row :
         connection_.query(select_invitation + "organisation_id = ? AND expires_at > ? ORDER BY created_at DESC, id DESC LIMIT ?",
                           {organisation_id, now, max_open_invitations}))
        all.push_back(read_invitation(row));
    return all;
}

std::optional<Invitation> Invitations::put(const Invitation& invitation, const core::Uuid& invited_by) {
    const auto& organisation = invitation.organisation_id;
    const auto key = email_key(invitation.email);
    const auto others = connection_.query(
        "SELECT COUNT(*) FROM invitations WHERE organisation_id = ? AND expires_at > ? AND email_key <> ? LOCK IN SHARE MODE",
        {organisation, invitation.created_at, db::Binary{key}});
    if (others.front().integer(0) >= max_open_invitations) return {};
    const auto role = to_string(invitation.role);
    connection_.execute(
        "INSERT INTO invitations (id, organisation_id, email, email_key, role, invited_by, created_at, expires_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE email = ?, role = ?, invited_by = ?, created_at = ?, "
        "expires_at = ?",
        {invitation.id, organisation, invitation.email, db::Binary{key}, role, invited_by, invitation.created_at,
         invitation.expires_at, invitation.email, role, invited_by, invitation.created_at, invitation.expires_at});
    return first_invitation(connection_.query(select_invitation + "organisation_id = ? AND email_key = ? LIMIT 1 FOR UPDATE",
                                              {organisation, db::Binary{key}}));
}

bool Invitations::remove(const core::Uuid& organisation_id, const core::Uuid& id) {
    return connection_.execute("DELETE FROM invitations WHERE organisation_id = ? AND id = ?", {organisation_id, id}) > 0;
}

std::uint64_t Invitations::remove_of_address(std::string_view email) {
    constexpr std::int64_t page = 2000;
    const auto key = email_key(email);
    std::uint64_t removed = 0;
    for (std::optional<core::Uuid> last;;) {
        const auto rows = connection_.query("SELECT id, email_key FROM invitations FORCE INDEX (PRIMARY) WHERE " +
                                                std::string(last ? "id > ?" : "? IS NULL") + " ORDER BY id LIMIT ?",
                                            {last, page});
        if (rows.empty()) return removed;
        for (const auto& row : rows)
            if (row.text(1) == key) removed += connection_.execute("DELETE FROM invitations WHERE id = ?", {row.uuid(0)});
        last = rows.back().uuid(0);
    }
}

std::optional<InvitationLetter> Invitations::write_letter(const core::Uuid& id, core::Time now) {
    return db::in_transaction(connection_, [&]() -> std::optional<InvitationLetter> {
        const auto rows = connection_.query(
            "SELECT i.email, o.name, u.name, i.expires_at, i.invited_by, o.id FROM invitations i JOIN organisations o ON o.id = "
            "i.organisation_id JOIN users u ON u.id = i.invited_by WHERE i.id = ? AND i.expires_at > ? AND o.test = 0 "
            "LIMIT 1",
            {id, now});
        if (rows.empty() || !stands(connection_, rows.front().uuid(4), rows.front().uuid(5), false)) return {};
        const auto& row = rows.front();
        InvitationLetter letter{core::to_hex(core::random_bytes(32)), row.text(0), row.text(1), row.text(2), row.time(3)};
        const auto hash = token_hash(letter.token);
        connection_.execute("UPDATE invitations SET hash = ? WHERE id = ?", {db::Binary{hash}, id});
        return letter;
    });
}

std::optional<Invitation> Invitations::find(std::string_view token, core::Time now) {
    const auto hash = token_hash(token);
    const auto rows = connection_.query(select_invitation + "hash = ? AND expires_at > ? LIMIT 1", {db::Binary{hash}, now});
    if (rows.empty() || !stands(connection_, rows.front().opt_uuid(6), rows.front().uuid(1), false)) return {};
    return read_invitation(rows.front());
}

std::optional<Invitation> Invitations::take(std::string_view token, core::Time now) {
    const auto hash = token_hash(token);
    const auto rows =
        connection_.query(select_invitation + "hash = ? AND expires_at > ? LIMIT 1 FOR UPDATE", {db::Binary{hash}, now});
    if (rows.empty() || !stands(connection_, rows.front().opt_uuid(6), rows.front().uuid(1), true)) return {};
    auto found = read_invitation(rows.front());
    connection_.execute("DELETE FROM invitations WHERE id = ?", {found.id});
    return found;
}

}  // namespace tradepost::identity
