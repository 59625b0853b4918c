#include "resources/uploads/attachments.h"

#include <vector>

#include "db/sql.h"

namespace tradepost::uploads {

std::map<core::Uuid, Attachable> Attachments::lock(const core::Uuid& organisation_id, std::span<const core::Uuid> ids) {
    return find(organisation_id, ids, " FOR UPDATE");
}

std::map<core::Uuid, Attachable> Attachments::find(const core::Uuid& organisation_id, std::span<const core::Uuid> ids,
                                                   const std::string& lock) {
    std::map<core::Uuid, Attachable> found;
    if (ids.empty()) return found;
    const std::vector<db::Value> values(ids.begin(), ids.end());
    const auto rows = connection_.query(
        "SELECT id, organisation_id, status, content_hash, content_type, filename FROM uploads FORCE INDEX (PRIMARY) WHERE id IN "
        "(" +
            db::placeholders(values.size()) + ") ORDER BY id" + lock,
        values);
    for (const auto& row : rows)
        if (row.uuid(1) == organisation_id && row.text(2) == "READY")
            found[row.uuid(0)] = {row.text(3), row.text(4), row.text(5)};
    return found;
}

void Attachments::attach(std::span<const core::Uuid> ids) {
    if (ids.empty()) return;
    const std::vector<db::Value> values(ids.begin(), ids.end());
    connection_.execute("UPDATE uploads SET attachments = attachments + 1, detached_at = NULL WHERE id IN (" +
                            db::placeholders(values.size()) + ")",
                        values);
}

void Attachments::detach(std::span<const core::Uuid> ids, core::Time now) {
    if (ids.empty()) return;
    std::vector<db::Value> values{now};
    values.insert(values.end(), ids.begin(), ids.end());
    // MySQL assigns from left to right: detached_at is computed with the old count.
    connection_.execute(
        "UPDATE uploads SET detached_at = IF(attachments <= 1, ?, NULL), attachments = IF(attachments <= 1, 0, attachments - 1) "
        "WHERE id IN (" +
            db::placeholders(values.size() - 1) + ")",
        values);
}

}  // namespace tradepost::uploads
