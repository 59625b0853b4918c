#include "resources/uploads/attachments.h"

#include <system_error>
#include <vector>

#include "core/log.h"
#include "core/present.h"
#include "db/sql.h"
#include "resources/uploads/json.h"
#include "webhooks/announce.h"
#include "webhooks/webhook.h"

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
    connection_.execute(
        "UPDATE uploads FORCE INDEX (PRIMARY) SET attachments = attachments + 1, detached_at = NULL WHERE id IN (" +
            db::placeholders(values.size()) + ")",
        values);
}

void Attachments::detach(std::span<const core::Uuid> ids, core::Time now) {
    if (ids.empty()) return;
    std::vector<db::Value> values{now};
    values.insert(values.end(), ids.begin(), ids.end());
    // MySQL assigns from left to right: detached_at is computed with the old count.
    connection_.execute(
        "UPDATE uploads FORCE INDEX (PRIMARY) SET detached_at = IF(attachments <= 1, ?, NULL), attachments = IF(attachments <= "
        "1, 0, attachments - 1) "
        "WHERE id IN (" +
            db::placeholders(values.size() - 1) + ")",
        values);
}

namespace {

void publish_files(files::Store& store, const std::string& content_type, const files::Prepared& prepared) {
    const auto& hash = prepared.content_hash;
    if (prepared.thumbnail) store.publish(*prepared.thumbnail, core::present(thumbnail_url(hash, content_type)));
    store.publish(prepared.file, upload_url(hash, content_type));
}

}  // namespace

void publish(files::Store& store, db::Connection& connection, const std::string& content_type, const files::Prepared& prepared) {
    try {
        publish_files(store, content_type, prepared);
    } catch (const std::system_error& error) {
        files::throw_api_error(error);
    }
    connection.after_commit([&store, content_type, &prepared] {
        try {
            publish_files(store, content_type, prepared);
        } catch (const std::exception& error) {
            core::log::error("publish", {{"file", prepared.file}, {"why", error.what()}});
        }
    });
}

void announce_ready(db::Connection& connection, const Upload& upload, core::Time now) {
    webhooks::announce(connection, webhooks::upload_ready,
                       {upload.organisation_id, now, webhooks::upload_ready, upload.id, [&] { return render(upload); }});
}

}  // namespace tradepost::uploads
