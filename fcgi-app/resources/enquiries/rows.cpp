#include "resources/enquiries/rows.h"

#include "fields/json.h"
#include "fields/rows.h"

namespace tradepost::enquiries {

const std::string& columns() {
    static const std::string list =
        "t.id, t.organisation_id, t.type, t.stock_id, t.job_id, t.from_user_id, t.created_at, t.updated_at" +
        fields::columns(sent_fields(), "t.") + fields::columns(worked_fields(), "t.");
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
    fields::read_columns(row, 8, sent_fields(), enquiry);
    fields::read_columns(row, 8 + sent_fields().size(), worked_fields(), enquiry);
    return enquiry;
}

void write(json::Writer& writer, const Enquiry& enquiry) {
    writer.begin_object().member("id", enquiry.id).member("organisationId", enquiry.organisation_id).member("type", enquiry.type);
    writer.member("stockId", enquiry.stock_id).member("jobId", enquiry.job_id).member("fromUserId", enquiry.from_user_id);
    fields::write_fields(writer, sent_fields(), enquiry, true);
    fields::write_fields(writer, worked_fields(), enquiry, true);
    writer.member("createdAt", enquiry.created_at).member("updatedAt", enquiry.updated_at).end_object();
}

std::string render(const Enquiry& enquiry) {
    json::Writer writer;
    write(writer, enquiry);
    return writer.take();
}

std::optional<Enquiry> find_of_member(db::Connection& connection, const core::Uuid& user_id, const core::Uuid& id) {
    auto rows = connection.query(
        "SELECT " + columns() +
            " FROM enquiries t JOIN memberships m ON m.organisation_id = t.organisation_id AND m.user_id = ? WHERE t.id = ?",
        {user_id, id});
    if (rows.empty()) return {};
    return read(rows[0]);
}

}  // namespace tradepost::enquiries
