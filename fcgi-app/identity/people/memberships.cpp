#include "identity/people/memberships.h"

#include <stdexcept>

#include "audit/record.h"

namespace tradepost::identity {
namespace {

Role to_role(const std::string& text) {
    if (const auto role = parse_role(text)) return *role;
    throw std::logic_error("memberships.role holds an unknown value");
}

}  // namespace

std::vector<Membership> Memberships::of_user(const core::Uuid& user_id) {
    std::vector<Membership> memberships;
    // No LIMIT: a user sees all organisations, however many.
    const auto rows =
        connection_.query(std::string("SELECT o.id, o.slug, o.name, ") + effective_role +
                              ", o.test FROM memberships m JOIN organisations o ON o.id = m.organisation_id WHERE m.user_id = ?" +
                              memberships_order,
                          {user_id});
    for (const auto& row : rows)
        memberships.push_back({row.uuid(0), row.text(1), row.text(2), to_role(row.text(3)), row.boolean(4)});
    return memberships;
}

std::vector<Administered> Memberships::administered(const core::Uuid& user_id) {
    std::vector<Administered> administered;
    const auto rows = connection_.query(
        "SELECT o.id, o.name, o.second_factor_required FROM memberships m JOIN organisations o ON o.id = m.organisation_id "
        "WHERE m.user_id = ? AND m.role = 'ADMIN'" +
            std::string(memberships_order),
        {user_id});
    for (const auto& row : rows) administered.push_back({row.uuid(0), row.text(1), row.boolean(2)});
    return administered;
}

bool Memberships::require_second_factor(const core::Uuid& user_id, const core::Uuid& organisation_id, bool required,
                                        core::Time now) {
    return db::in_transaction(connection_, [&] {
        if (!connection_.execute("UPDATE organisations o JOIN memberships m ON m.organisation_id = o.id "
                                 "SET o.second_factor_required = ? WHERE o.id = ? AND m.user_id = ? AND m.role = 'ADMIN'",
                                 {required, organisation_id, user_id}))
            return false;
        audit::record(connection_, now,
                      {.event = required ? audit::Event::second_factor_required : audit::Event::second_factor_not_required,
                       .organisation = organisation_id});
        if (required) Issued(connection_).end_of_admins_without_second_factor(organisation_id, now);
        return true;
    });
}

void Memberships::add(const core::Uuid& user_id, const core::Uuid& organisation_id, Role role, core::Time now,
                      IntegrationTokens tokens) {
    using audit::Event;
    const auto before = lock(user_id, organisation_id);
    if (before == role) return;
    const auto text = to_string(role);
    connection_.execute(
        "INSERT INTO memberships (user_id, organisation_id, role, created_at) VALUES (?, ?, ?, ?) ON DUPLICATE KEY UPDATE role = "
        "?",
        {user_id, organisation_id, text, now, text});
    audit::record(connection_, now,
                  {.event = before ? Event::role_changed : Event::membership_added,
                   .user = user_id,
                   .organisation = organisation_id,
                   .detail = text});
    if (before == Role::admin) Issued(connection_).end(user_id, organisation_id, now, tokens);
}

bool Memberships::remove(const core::Uuid& user_id, const core::Uuid& organisation_id, core::Time now, IntegrationTokens tokens) {
    const auto before = lock(user_id, organisation_id);
    if (!before) return false;
    connection_.execute("DELETE FROM memberships WHERE user_id = ? AND organisation_id = ?", {user_id, organisation_id});
    Issued(connection_).end(user_id, organisation_id, now, tokens);
    audit::record(connection_, now,
                  {.event = audit::Event::membership_removed,
                   .user = user_id,
                   .organisation = organisation_id,
                   .detail = to_string(*before)});
    return true;
}

std::optional<Role> Memberships::lock(const core::Uuid& user_id, const core::Uuid& organisation_id) {
    const auto rows = connection_.query(
        "SELECT role FROM memberships WHERE user_id = ? AND organisation_id = ? LIMIT 1 FOR UPDATE", {user_id, organisation_id});
    if (rows.empty()) return {};
    return to_role(rows.front().text(0));
}

}  // namespace tradepost::identity
