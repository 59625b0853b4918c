#include "resources/enquiries/rows.h"

#include "fields/json.h"
#include "fields/rows.h"
#include "resources/uploads/upload.h"

namespace tradepost::enquiries {

namespace {

std::string with_target(const std::string& title, const std::string& reference, const std::string& picture) {
    return "t.id, t.organisation_id, t.type, t.stock_id, t.job_id, t.from_user_id, t.created_at, t.updated_at, t.replied_at, " +
           title + ", " + reference + ", " + picture + fields::columns(sent_fields(), "t.") +
           fields::columns(worked_fields(), "t.");
}

// The item or job, and by their ids alone: whatever else MariaDB would read.
constexpr const char* of_item = " FROM stock_items s FORCE INDEX (PRIMARY) WHERE s.id = t.stock_id)";
constexpr const char* of_job = " FROM jobs j FORCE INDEX (PRIMARY) WHERE j.id = t.job_id)";

// Hash and type of the first picture that there is already; the hash has a fixed length.
constexpr const char* picture_of_item =
    "(SELECT CONCAT(u.content_hash, u.content_type) FROM stock_images i FORCE INDEX (PRIMARY) JOIN uploads u FORCE INDEX "
    "(PRIMARY) "
    "ON u.id = i.upload_id AND u.status = 'READY' WHERE i.stock_id = t.stock_id ORDER BY i.position LIMIT 1)";
constexpr std::size_t hash_size = 32;

}  // namespace

const std::string& columns() {
    static const std::string list =
        with_target(std::string("COALESCE((SELECT s.title") + of_item + ", (SELECT j.title" + of_job + ", t.target_title)",
                    std::string("CASE WHEN EXISTS (SELECT 1") + of_item + " THEN (SELECT s.reference" + of_item +
                        " WHEN EXISTS (SELECT 1" + of_job + " THEN (SELECT j.reference" + of_job + " ELSE t.target_reference END",
                    picture_of_item);
    return list;
}

const std::string& columns_of_sender() {
    static const std::string list = with_target("t.target_title", "t.target_reference", "NULL");
    return list;
}

Enquiry read(db::Row& row) {
    Enquiry enquiry;
    enquiry.id = row.uuid(0);
    enquiry.organisation_id = row.uuid(1);
    enquiry.type = row.text(2);
    enquiry.stock_id = row.opt_uuid(3);
    enquiry.job_id = row.opt_uuid(4);
    enquiry.from_user_id = row.opt_uuid(5);
    enquiry.created_at = row.time(6);
    enquiry.updated_at = row.time(7);
    enquiry.replied_at = row.opt_time(8);
    enquiry.target_title = row.opt_text(9);
    enquiry.target_reference = row.opt_text(10);
    if (const auto picture = row.opt_text(11))
        enquiry.target_thumbnail = uploads::thumbnail_url(picture->substr(0, hash_size), picture->substr(hash_size));
    fields::read_columns(row, 12, sent_fields(), enquiry);
    fields::read_columns(row, 12 + sent_fields().size(), worked_fields(), enquiry);
    return enquiry;
}

namespace {

void write_target(json::Writer& writer, std::string_view name, const std::optional<core::Uuid>& id, const Enquiry& enquiry) {
    writer.name(name);
    if (!id || !enquiry.target_title) {
        writer.null();
        return;
    }
    writer.begin_object().member("id", *id).member("title", *enquiry.target_title).member("reference", enquiry.target_reference);
    if (id == enquiry.stock_id) writer.member("thumbnailUrl", enquiry.target_thumbnail);
    writer.end_object();
}

}  // namespace

void write(json::Writer& writer, const Enquiry& enquiry) {
    writer.begin_object().member("id", enquiry.id).member("organisationId", enquiry.organisation_id).member("type", enquiry.type);
    writer.member("stockId", enquiry.stock_id).member("jobId", enquiry.job_id).member("fromUserId", enquiry.from_user_id);
    write_target(writer, "stock", enquiry.stock_id, enquiry);
    write_target(writer, "job", enquiry.job_id, enquiry);
    fields::write_fields(writer, sent_fields(), enquiry, true);
    fields::write_fields(writer, worked_fields(), enquiry, true);
    writer.member("createdAt", enquiry.created_at).member("updatedAt", enquiry.updated_at).end_object();
}

std::string render(const Enquiry& enquiry) {
    json::Writer writer;
    write(writer, enquiry);
    return writer.take();
}

std::optional<Enquiry> find_for(db::Connection& connection, const core::Uuid& user_id, const core::Uuid& id) {
    auto rows = connection.query(
        "SELECT " + columns() +
            ", m.user_id IS NOT NULL, t.target_title, t.target_reference FROM enquiries t FORCE INDEX (PRIMARY) LEFT JOIN "
            "memberships m ON m.organisation_id = t.organisation_id AND m.user_id = ? WHERE t.id = ? AND (m.user_id IS NOT NULL "
            "OR "
            "t.from_user_id = ?)",
        {user_id, id, user_id});
    if (rows.empty()) return {};
    auto enquiry = read(rows[0]);
    const auto more = rows[0].columns() - 3;
    if (!rows[0].boolean(more)) {
        enquiry.note.reset();
        enquiry.target_title = rows[0].opt_text(more + 1);
        enquiry.target_reference = rows[0].opt_text(more + 2);
        enquiry.target_thumbnail.reset();
    }
    return enquiry;
}

}  // namespace tradepost::enquiries
