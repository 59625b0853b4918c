#include "identity/caller.h"

#include "core/present.h"

namespace tradepost::identity {

std::string caller_columns(CallerDetail detail) {
    return std::string("u.email, u.name, u.created_at, m.organisation_id, ") + effective_role +
           ", o.test, IF(o.examined_user_id IS NULL OR o.examined_user_id = u.id, o.examined_until, NULL)" +
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
    Caller caller{row.opt_text(first).value_or(""), row.text(first + 1), row.time(first + 2), {}, {}, {}};
    auto& sandbox = caller.sandbox;
    if (detail == CallerDetail::memberships) caller.memberships.emplace();
    for (const auto& membership : rows) {
        if (membership.is_null(first + 3)) continue;
        const auto id = membership.uuid(first + 3);
        const auto role = core::present(parse_role(membership.text(first + 4)));
        const bool test = membership.boolean(first + 5);
        sandbox.only = test && (caller.roles.empty() || sandbox.only);
        if (const auto until = membership.opt_time(first + 6); test && until && *until > sandbox.examined_until) {
            sandbox.examined = id;
            sandbox.examined_until = *until;
        }
        caller.roles.emplace(id, role);
        if (caller.memberships)
            caller.memberships->push_back({id, membership.text(first + 7), membership.text(first + 8), role, test});
    }
    return caller;
}

}  // namespace tradepost::identity
