#include "audit/pseudonym.h"

#include <set>

#include "db/sql.h"

namespace tradepost::audit {
namespace {

// Events whose detail the service writes by itself: a role, or the way in which something was done.
constexpr const char* fixed_details =
    "('sign_in', 'session_ended', 'password_changed', 'token_revoked', 'user_added', 'user_disabled', 'membership_added', "
    "'membership_removed', 'role_changed', 'letter_sent', 'exported')";

}  // namespace

std::vector<core::Uuid> find_mentions(db::Connection& connection, const std::optional<core::Uuid>& user,
                                      const std::function<bool(std::string_view)>& mentions) {
    constexpr std::int64_t page = 2000;
    std::vector<core::Uuid> found;
    for (std::optional<core::Uuid> last;;) {
        const auto rows = connection.query("SELECT id, target_id, detail FROM audit_log FORCE INDEX (PRIMARY) WHERE " +
                                               std::string(last ? "id > ?" : "? IS NULL") + " ORDER BY id LIMIT ?",
                                           {last, page});
        if (rows.empty()) return found;
        for (const auto& row : rows)
            if ((user && row.opt_uuid(1) == user) || mentions(row.text(2))) found.push_back(row.uuid(0));
        last = rows.back().uuid(0);
    }
}

std::uint64_t make_pseudonymous(db::Connection& connection, const std::optional<core::Uuid>& user, const core::Uuid& pseudonym,
                                std::span<const core::Uuid> mentions) {
    std::set<core::Uuid> changed(mentions.begin(), mentions.end());
    if (user) {
        for (const auto& row :
             connection.query("SELECT id FROM audit_log WHERE user_id = ? UNION SELECT id FROM audit_log WHERE actor = ?",
                              {*user, user->to_string()}))
            changed.insert(row.uuid(0));
        connection.execute(
            "UPDATE audit_log FORCE INDEX (audit_log_actor) SET actor = ?, address = '-', request_id = '-' WHERE actor = ?",
            {pseudonym.to_string(), user->to_string()});
        connection.execute(std::string("UPDATE audit_log FORCE INDEX (audit_log_user) SET user_id = ?, address = '-', request_id "
                                       "= '-', detail = IF(event IN ") +
                               fixed_details + ", detail, '-') WHERE user_id = ?",
                           {pseudonym, *user});
    }
    for (const auto& id : mentions)
        connection.execute(
            "UPDATE audit_log SET target_id = IF(target_id = ?, ?, target_id), detail = '-', address = '-', request_id = '-' "
            "WHERE "
            "id = ?",
            {user, pseudonym, id});
    return changed.size();
}

}  // namespace tradepost::audit
