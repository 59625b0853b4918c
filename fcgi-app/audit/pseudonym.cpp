#include "audit/pseudonym.h"

#include <set>
#include <vector>

#include "db/sql.h"

namespace tradepost::audit {

std::uint64_t make_pseudonymous(db::Connection& connection, const std::optional<core::Uuid>& user, const core::Uuid& pseudonym,
                                const std::function<bool(std::string_view)>& matches) {
    std::set<core::Uuid> changed;
    if (user) {
        for (const auto& row :
             connection.query("SELECT id FROM audit_log WHERE user_id = ? UNION SELECT id FROM audit_log WHERE actor = ? UNION "
                              "SELECT id FROM audit_log WHERE target_id = ?",
                              {*user, user->to_string(), *user}))
            changed.insert(row.uuid(0));
        connection.execute("UPDATE audit_log SET actor = ?, address = '-' WHERE actor = ?",
                           {pseudonym.to_string(), user->to_string()});
        connection.execute(
            "UPDATE audit_log SET user_id = ?, address = '-', detail = IF(event LIKE 'token%' OR event LIKE 'email%', '-', "
            "detail) WHERE user_id = ?",
            {pseudonym, *user});
        connection.execute("UPDATE audit_log SET target_id = ? WHERE target_id = ?", {pseudonym, *user});
    }
    std::vector<core::Uuid> named;
    for (const auto& row : connection.query("SELECT id, detail FROM audit_log WHERE detail LIKE '%@%'"))
        if (matches(row.text(1))) named.push_back(row.uuid(0));
    for (const auto& id : named) {
        connection.execute("UPDATE audit_log SET detail = '-', address = '-' WHERE id = ?", {id});
        changed.insert(id);
    }
    return changed.size();
}

}  // namespace tradepost::audit
