#include "identity/tokens/integrations.h"

#include <map>

#include "audit/record.h"
#include "identity/people/memberships.h"
#include "identity/tokens/tokens.h"

namespace tradepost::identity {
namespace {

const std::string tables = " FROM memberships m JOIN users u ON u.id = m.user_id WHERE u.email IS NULL AND m.organisation_id = ?";

}  // namespace

std::vector<Integration> Integrations::of_organisation(const core::Uuid& organisation_id, core::Time now) {
    const auto rows = connection_.query(
        "SELECT u.id, u.name, u.created_at" + tables + " ORDER BY u.name COLLATE utf8mb4_unicode_ci, u.name, u.id LIMIT ?",
        {organisation_id, max_integrations});
    std::vector<core::Uuid> ids;
    for (const auto& row : rows) ids.push_back(row.uuid(0));
    std::map<core::Uuid, std::vector<Token>> tokens;
    for (auto& token : list_active(connection_, ids, now)) tokens[token.user_id].push_back(std::move(token));

    std::vector<Integration> integrations;
    for (const auto& row : rows) integrations.push_back({row.uuid(0), row.text(1), row.time(2), std::move(tokens[row.uuid(0)])});
    return integrations;
}

std::optional<Integration> Integrations::add(const core::Uuid& organisation_id, const std::string& name, core::Time now) {
    const auto others = connection_.query("SELECT COUNT(*)" + tables + " LOCK IN SHARE MODE", {organisation_id});
    if (others.front().integer(0) >= max_integrations) return {};
    const Integration added{core::Uuid::v7(now), name, now, {}};
    connection_.execute("INSERT INTO users (id, name, created_at, updated_at) VALUES (?, ?, ?, ?)", {added.id, name, now, now});
    audit::record(connection_, now,
                  {.event = audit::Event::integration_added, .user = added.id, .organisation = organisation_id, .detail = name});
    Memberships(connection_).add(added.id, organisation_id, Role::member, now);
    return added;
}

std::optional<std::string> Integrations::lock(const core::Uuid& organisation_id, const core::Uuid& id) {
    const auto rows =
        connection_.query("SELECT u.name" + tables + " AND m.user_id = ? LIMIT 1 FOR UPDATE", {organisation_id, id});
    if (rows.empty()) return {};
    return rows.front().text(0);
}

bool Integrations::remove(const core::Uuid& organisation_id, const core::Uuid& id, core::Time now) {
    const auto name = lock(organisation_id, id);
    if (!name) return false;
    connection_.execute("DELETE FROM memberships WHERE user_id = ? AND organisation_id = ?", {id, organisation_id});
    connection_.execute("DELETE FROM api_tokens WHERE user_id = ?", {id});
    connection_.execute("UPDATE users SET disabled_at = ?, updated_at = ? WHERE id = ?", {now, now, id});
    audit::record(connection_, now,
                  {.event = audit::Event::integration_removed, .user = id, .organisation = organisation_id, .detail = *name});
    return true;
}

}  // namespace tradepost::identity
