#include "resources/uploads/rows.h"

#include "db/sql.h"

namespace tradepost::uploads {
namespace {

using db::Binary;

const std::string columns =
    "SELECT t.id, t.organisation_id, t.user_id, t.status, t.filename, t.content_type, t.sent_size, t.sent_hash, t.content_hash, "
    "t.size, t.width, t.height, t.attachments, t.created_at, t.failed_decodes, t.source_url, t.fetch_error ";
const std::string select = columns + "FROM uploads t FORCE INDEX (PRIMARY) WHERE t.id = ?";

Upload read(const db::Row& row) {
    Upload upload;
    upload.id = row.uuid(0);
    upload.organisation_id = row.uuid(1);
    upload.user_id = row.opt_uuid(2);
    upload.status = row.text(3);
    upload.filename = row.text(4);
    upload.content_type = row.text(5);
    upload.sent_size = row.opt_integer(6);
    upload.sent_hash = row.opt_text(7);
    upload.content_hash = row.opt_text(8);
    upload.size = row.opt_integer(9).value_or(0);
    upload.width = row.opt_integer(10);
    upload.height = row.opt_integer(11);
    upload.attachments = row.integer(12);
    upload.created_at = row.time(13);
    upload.failed_decodes = row.integer(14);
    upload.source_url = row.opt_text(15);
    upload.fetch_error = row.opt_text(16);
    return upload;
}

std::optional<Upload> first(const db::Rows& rows) {
    if (rows.empty()) return {};
    return read(rows[0]);
}

// The index has all that is needed to find a page and to count.
db::Sql selected(const std::string& what, std::span<const core::Uuid> organisations, std::span<const std::string> statuses) {
    db::Sql sql("SELECT " + what + " FROM uploads FORCE INDEX (uploads_list) WHERE ");
    return sql.add_in("organisation_id", organisations).add(" AND ").add_in("status", statuses);
}

std::optional<Binary> binary(const std::optional<std::string>& bytes) {
    if (!bytes) return {};
    return Binary{*bytes};
}

}  // namespace

std::optional<Upload> Uploads::find(const core::Uuid& id) {
    return first(connection_.query(select, {id}));
}

std::optional<Upload> Uploads::lock(const core::Uuid& id) {
    return first(connection_.query(select + " FOR UPDATE", {id}));
}

std::vector<Upload> Uploads::page(std::span<const core::Uuid> organisations, std::span<const std::string> statuses,
                                  db::Slice slice) {
    db::Sql sql(columns + "FROM (");
    sql.add(selected("id, created_at", organisations, statuses))
        .add(" ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?", {slice.limit, slice.offset})
        .add(") k JOIN uploads t FORCE INDEX (PRIMARY) ON t.id = k.id ORDER BY k.created_at DESC, k.id DESC");
    std::vector<Upload> found;
    for (const auto& row : connection_.query(sql)) found.push_back(read(row));
    return found;
}

std::int64_t Uploads::count(std::span<const core::Uuid> organisations, std::span<const std::string> statuses) {
    return connection_.query(selected("COUNT(*)", organisations, statuses)).at(0).integer(0);
}

std::set<std::string> Uploads::referenced(const std::vector<std::string>& hashes) {
    std::set<std::string> found;
    if (hashes.empty()) return found;
    std::vector<db::Value> values;
    for (const auto& hash : hashes) values.push_back(Binary{hash});
    for (const auto& row : connection_.query(
             "SELECT DISTINCT content_hash FROM uploads WHERE content_hash IN (" + db::placeholders(values.size()) + ")", values))
        found.insert(row.text(0));
    return found;
}

std::int64_t Uploads::bytes_of(const core::Uuid& organisation_id) {
    return connection_
        .query(
            "SELECT CAST(IFNULL(SUM(size), 0) AS SIGNED) FROM uploads FORCE INDEX (uploads_organisation) WHERE organisation_id = "
            "?",
            {organisation_id})
        .at(0)
        .integer(0);
}

void Uploads::insert(const Upload& upload) {
    connection_.execute(
        "INSERT INTO uploads (id, organisation_id, user_id, status, filename, content_type, sent_size, sent_hash, content_hash, "
        "size, width, height, created_at, "
        "detached_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        {upload.id, upload.organisation_id, upload.user_id, upload.status, upload.filename, upload.content_type, upload.sent_size,
         binary(upload.sent_hash), binary(upload.content_hash), upload.size, upload.width, upload.height, upload.created_at,
         upload.created_at});
}

void Uploads::make_ready(const Upload& upload, core::Time now) {
    connection_.execute(
        "UPDATE uploads SET status = 'READY', content_hash = ?, size = ?, width = ?, height = ?, detached_at = ? WHERE id = ?",
        {binary(upload.content_hash), upload.size, upload.width, upload.height, now, upload.id});
}

void Uploads::count_failed_decode(const core::Uuid& id) {
    connection_.execute("UPDATE uploads SET failed_decodes = failed_decodes + 1 WHERE id = ? AND failed_decodes < 3", {id});
}

void Uploads::remove(const core::Uuid& id) {
    connection_.execute("DELETE FROM uploads WHERE id = ?", {id});
}

}  // namespace tradepost::uploads
