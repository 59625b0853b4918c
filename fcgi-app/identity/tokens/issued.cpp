#include "identity/tokens/issued.h"

#include "audit/record.h"
#include "db/failure.h"
#include "db/sql.h"
#include "identity/people/memberships.h"
#include "identity/people/users.h"
#include "identity/sessions/sessions.h"
#include "identity/tokens/tokens.h"

namespace tradepost::identity {

void Issued::end(const core::Uuid& user_id, const std::optional<core::Uuid>& organisation_id, core::Time now,
                 IntegrationTokens tokens_created) {
    db::Sql invitations("SELECT id FROM invitations FORCE INDEX (invitations_inviter) WHERE invited_by = ?", {user_id});
    if (organisation_id) invitations.add(" AND organisation_id = ?", {*organisation_id});
    // With a lock, which reads what is committed now.
    for (const auto& row : connection_.query(invitations.add(" FOR UPDATE")))
        connection_.execute("DELETE FROM invitations WHERE id = ?", {row.uuid(0)});
    if (tokens_created == IntegrationTokens::revoke)
        for (const auto& token : tokens(user_id, organisation_id, now))
            revoke_within(connection_, token.integration_id, token.id, now);
    connection_.execute("UPDATE sessions FORCE INDEX (sessions_user) SET confirmed_at = ? WHERE user_id = ?",
                        {core::Time(), user_id});
}

void Issued::end_without_second_factor(const core::Uuid& user_id, core::Time now, IntegrationTokens tokens_created) {
    for (const auto& each : Memberships(connection_).administered(user_id))
        if (each.second_factor_required) end(user_id, each.organisation_id, now, tokens_created);
}

void Issued::end_of_admins_without_second_factor(const core::Uuid& organisation_id, core::Time now) {
    for (const auto& row : connection_.query(
             "SELECT m.user_id FROM memberships m LEFT JOIN second_factors f ON f.user_id = m.user_id AND f.enabled_at "
             "IS NOT NULL WHERE m.organisation_id = ? AND m.role = 'ADMIN' AND f.user_id IS NULL",
             {organisation_id}))
        end(row.uuid(0), organisation_id, now);
}

std::vector<IssuedToken> Issued::tokens(const core::Uuid& user_id, const std::optional<core::Uuid>& organisation_id,
                                        core::Time now) {
    db::Sql sql(
        "SELECT t.id, t.user_id, t.name, u.name, o.slug FROM api_tokens t FORCE INDEX (api_tokens_minter) JOIN users u ON u.id = "
        "t.user_id JOIN memberships m ON m.user_id = t.user_id JOIN organisations o ON o.id = m.organisation_id WHERE "
        "t.minted_by = ? "
        "AND t.revoked_at IS NULL AND t.expires_at > ?",
        {user_id, now});
    if (organisation_id) sql.add(" AND m.organisation_id = ?", {*organisation_id});
    std::vector<IssuedToken> found;
    for (const auto& row : connection_.query(sql.add(" ORDER BY o.slug, u.name, t.created_at, t.id")))
        found.push_back({row.uuid(0), row.uuid(1), row.opt_text(2).value_or(""), row.text(3), row.text(4)});
    return found;
}

void Issued::shut_out(const core::Uuid& user_id, core::Time now, IntegrationTokens tokens_created, std::string_view detail) {
    const bool disabled =
        connection_.query("SELECT 1 FROM users WHERE id = ? AND disabled_at IS NULL FOR UPDATE", {user_id}).empty();
    db::conflict_on(connection_, std::span(&user_id, 1));
    end(user_id, {}, now, tokens_created);
    Sessions(connection_).end_all(user_id);
    if (disabled) return;
    Users(connection_).disable(user_id, now);
    audit::record(connection_, now, {.event = audit::Event::user_disabled, .user = user_id, .detail = detail});
}

bool Issued::may_issue(const core::Uuid& user_id, const core::Uuid& organisation_id, bool lock) {
    return !connection_
                .query(std::string(
                           "SELECT 1 FROM memberships m JOIN organisations o ON o.id = m.organisation_id JOIN users u ON u.id "
                           "= m.user_id WHERE m.user_id = ? AND m.organisation_id = ? AND u.disabled_at IS NULL AND ") +
                           effective_role + " = 'ADMIN' LIMIT 1" + (lock ? " LOCK IN SHARE MODE" : ""),
                       {user_id, organisation_id})
                .empty();
}

}  // namespace tradepost::identity
