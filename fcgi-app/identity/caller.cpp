#include "identity/caller.h"

#include "core/present.h"

namespace tradepost::identity {

std::string caller_columns(CallerDetail detail) {
    return std::string("u.email, u.name, u.created_at, m.organisation_id, ") + effective_role +
           (detail == CallerDetail::memberships ? ", o.slug, o.name" : "");
}

const char* caller_tables() {
    return " LEFT JOIN memberships m ON m.user_id = u.id LEFT JOIN organisations o ON o.id = m.organisation_id";
}

const char* caller_order(CallerDetail detail) {
    return detail == CallerDetail::memberships ? memberships_order : "";
}

Caller read_caller(const db::Rows& rows, std::size_t first, CallerDetail detail) {
    const auto& row = rows.front();
    Caller caller{row.opt_text(first).value_or(""), row.text(first + 1), row.time(first + 2), {}, {}};
    if (detail == CallerDetail::memberships) caller.memberships.emplace();
    for (const auto& membership : rows) {
        if (membership.is_null(first + 3)) continue;
        const auto id = membership.uuid(first + 3);
        const auto role = core::present(parse_role(membership.text(first + 4)));
        caller.roles.emplace(id, role);
        if (caller.memberships) caller.memberships->push_back({id, membership.text(first + 5), membership.text(first + 6), role});
    }
    return caller;
}

}  // namespace tradepost::identity
