#include "writes/ownership.h"

#include <stdexcept>

#include "db/sql.h"
#include "identity/organisations/organisation.h"
#include "identity/people/memberships.h"

namespace tradepost::writes {
namespace {

const std::string select = std::string("SELECT ") + identity::organisation_columns + ", " + identity::effective_role +
                           ", o.published, o.polled_until FROM memberships m JOIN organisations o ON o.id = m.organisation_id "
                           "WHERE m.user_id = ?";
constexpr const char* lock = " LOCK IN SHARE MODE";

OwnOrganisation read(const db::Row& row) {
    const auto role = identity::parse_role(row.text(4));
    if (!role) throw std::logic_error("memberships.role holds an unknown value");
    return {identity::read_organisation(row, 0), *role, row.boolean(5), row.opt_time(6)};
}

}  // namespace

std::vector<OwnOrganisation> Ownership::of_user(const core::Uuid& user_id, const std::optional<core::Uuid>& organisation_id,
                                                Hold hold) {
    const std::string how = hold == Hold::exclusive ? " FOR UPDATE" : hold == Hold::shared ? lock : "";
    std::vector<OwnOrganisation> own;
    const auto rows = organisation_id
                          ? connection_.query(select + " AND m.organisation_id = ?" + how, {user_id, *organisation_id})
                          : connection_.query(select + how, {user_id});
    for (const auto& row : rows) own.push_back(read(row));
    return own;
}

std::optional<OwnOrganisation> Ownership::of_row(const core::Uuid& user_id, std::string_view table, const core::Uuid& row_id) {
    // The row itself is not locked yet: two who lock it shared and then want to write it would be each other's deadlock.
    const auto rows = connection_.query(
        select + " AND m.organisation_id = (SELECT t.organisation_id FROM " + std::string(table) + " t WHERE t.id = ?)" + lock,
        {user_id, row_id});
    if (rows.empty()) return {};
    return read(rows[0]);
}

}  // namespace tradepost::writes
