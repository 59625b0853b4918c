#include "resources/enquiries/removal.h"

#include <algorithm>
#include <map>
#include <set>

#include "db/failure.h"
#include "db/sql.h"
#include "identity/people/users.h"
#include "lists/horizon.h"
#include "resources/enquiries/writer.h"

namespace tradepost::enquiries {
namespace {

constexpr std::size_t batch = 100;

// The recipients of these enquiries, locked in the order of their ids against polls until the transaction ends: up to when each was polled.
std::map<core::Uuid, std::optional<core::Time>> lock_recipients(db::Connection& connection,
                                                                std::span<const core::Uuid> enquiries) {
    db::Sql of_enquiries("SELECT DISTINCT organisation_id FROM enquiries FORCE INDEX (PRIMARY) WHERE ");
    std::vector<core::Uuid> ids;
    for (const auto& row : connection.query(of_enquiries.add_in("id", enquiries))) ids.push_back(row.uuid(0));
    std::map<core::Uuid, std::optional<core::Time>> polled;
    if (ids.empty()) return polled;
    db::Sql lock("SELECT id, polled_until FROM organisations FORCE INDEX (PRIMARY) WHERE ");
    lock.add_in("id", std::span<const core::Uuid>(ids)).add(" ORDER BY id LOCK IN SHARE MODE");
    for (const auto& row : connection.query(lock)) polled[row.uuid(0)] = row.opt_time(1);
    db::conflict_on(connection, ids);
    return polled;
}

}  // namespace

std::uint64_t remove(db::Connection& connection, std::span<const core::Uuid> ids) {
    std::uint64_t removed = 0;
    for (; !ids.empty(); ids = ids.subspan(std::min(batch, ids.size())))
        removed += writes::write(connection, [&](writes::WriteTransaction& transaction) {
            EnquiryWriter writer(transaction);
            std::uint64_t count = 0;
            for (const auto& id : ids.first(std::min(batch, ids.size())))
                if (const auto kept = writer.find(id)) {
                    writer.remove(kept->enquiry);
                    ++count;
                }
            return count;
        });
    return removed;
}

std::uint64_t remove_sent_before(db::Connection& connection, core::Time before) {
    std::uint64_t removed = 0;
    for (;;) {
        std::vector<core::Uuid> ids;
        for (const auto& row :
             connection.query("SELECT id FROM enquiries FORCE INDEX (enquiries_age) WHERE created_at < ? LIMIT ?",
                              {before, std::int64_t(batch)}))
            ids.push_back(row.uuid(0));
        if (ids.empty()) return removed;
        removed += remove(connection, ids);
    }
}

std::vector<core::Uuid> sent_by(db::Connection& connection, const core::Uuid& user_id, std::int64_t most) {
    std::vector<core::Uuid> ids;
    for (const auto& row : connection.query(
             "SELECT id FROM enquiries FORCE INDEX (enquiries_sender) WHERE from_user_id = ? LIMIT ?", {user_id, most}))
        ids.push_back(row.uuid(0));
    return ids;
}

bool forget_sender(db::Connection& connection, const core::Clock& clock, const core::Uuid& user_id) {
    auto ids = sent_by(connection, user_id, batch);
    if (ids.empty()) return false;
    std::sort(ids.begin(), ids.end());
    writes::write(connection, [&](writes::WriteTransaction& transaction) {
        const auto polled = lock_recipients(transaction.connection(), ids);
        EnquiryWriter writer(transaction);
        for (const auto& id : ids) {
            const auto kept = writer.find(id);
            if (!kept || kept->enquiry.from_user_id != user_id) continue;
            const auto& before = kept->enquiry;
            const auto now = std::max(clock.now(), before.updated_at + core::milliseconds(1));
            writer.forget_sender(before,
                                 lists::after_polls(now, std::max(kept->polled_until, polled.at(before.organisation_id))));
        }
    });
    return true;
}

std::vector<core::Uuid> find_of_person(db::Connection& connection, const std::optional<core::Uuid>& user_id,
                                       std::string_view email_key) {
    constexpr std::int64_t page = 2000;
    std::vector<core::Uuid> found;
    for (std::optional<core::Uuid> last;;) {
        const auto rows = connection.query("SELECT id, from_user_id, email FROM enquiries FORCE INDEX (PRIMARY) WHERE " +
                                               std::string(last ? "id > ?" : "? IS NULL") + " ORDER BY id LIMIT ?",
                                           {last, page});
        if (rows.empty()) return found;
        for (const auto& row : rows) {
            const auto email = row.opt_text(2);
            if ((user_id && row.opt_uuid(1) == user_id) || (email && identity::email_key(*email) == email_key))
                found.push_back(row.uuid(0));
        }
        last = rows.back().uuid(0);
    }
}

}  // namespace tradepost::enquiries
