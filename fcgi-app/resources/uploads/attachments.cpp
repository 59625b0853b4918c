#include "resources/uploads/attachments.h"

#include <vector>

#include "db/sql.h"
#include "resources/uploads/upload.h"

namespace tradepost::uploads {

std::map<core::Uuid, AttachedImage> Attachments::lock(const core::Uuid& organisation_id, std::span<const core::Uuid> ids) {
    std::map<core::Uuid, AttachedImage> images;
    if (ids.empty()) return images;
    const std::vector<db::Value> values(ids.begin(), ids.end());
    const auto rows = connection_.query(
        "SELECT id, organisation_id, status, content_type, content_hash FROM uploads FORCE INDEX (PRIMARY) WHERE id IN (" +
            db::placeholders(values.size()) + ") ORDER BY id FOR UPDATE",
        values);
    for (const auto& row : rows) {
        if (row.uuid(1) != organisation_id || row.text(2) != "READY" || !is_image(row.text(3))) continue;
        images[row.uuid(0)] = {upload_url(row.text(4), row.text(3)), thumbnail_url(row.text(4), row.text(3))};
    }
    return images;
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
