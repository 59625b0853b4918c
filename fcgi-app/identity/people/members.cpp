#include "identity/people/members.h"

#include "core/present.h"

namespace tradepost::identity {
namespace {

const std::string select_member =
    "SELECT u.id, u.name, u.email, m.role, m.created_at FROM memberships m JOIN users u ON u.id = m.user_id "
    "WHERE u.email IS NOT NULL AND m.organisation_id = ?";

Member read_member(const db::Row& row) {
    return {row.uuid(0), row.text(1), row.text(2), core::present(parse_role(row.text(3))), row.time(4)};
}

}  // namespace

std::vector<Member> Members::of_organisation(const core::Uuid& organisation_id) {
    std::vector<Member> members;
    // No LIMIT: members see all others, however many.
    const auto rows =
        connection_.query(select_member + " ORDER BY u.name COLLATE utf8mb4_unicode_ci, u.name, u.id", {organisation_id});
    for (const auto& row : rows) members.push_back(read_member(row));
    return members;
}

std::optional<Member> Members::lock(const core::Uuid& organisation_id, const core::Uuid& user_id) {
    const auto rows = connection_.query(select_member + " AND m.user_id = ? LIMIT 1 FOR UPDATE", {organisation_id, user_id});
    if (rows.empty()) return {};
    return read_member(rows.front());
}

bool Members::has_other_admin(const core::Uuid& organisation_id, const core::Uuid& user_id) {
    // With a lock: without one it would read the state at the beginning of the transaction.
    return !connection_
                .query(
                    "SELECT 1 FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organisation_id = ? AND m.user_id <> ? "
                    "AND m.role = 'ADMIN' AND u.email IS NOT NULL AND u.disabled_at IS NULL LIMIT 1 LOCK IN SHARE MODE",
                    {organisation_id, user_id})
                .empty();
}

}  // namespace tradepost::identity
