#include "resources/enquiries/rows.h"

#include "fields/json.h"

namespace tradepost::enquiries {

Enquiry read(const db::Row& row) {
    Enquiry enquiry;
    enquiry.id = row.uuid(0);
    enquiry.organisation_id = row.uuid(1);
    enquiry.type = row.text(2);
    enquiry.stock_id = row.opt_uuid(3);
    enquiry.job_id = row.opt_uuid(4);
    enquiry.from_user_id = row.opt_uuid(5);
    enquiry.name = row.text(6);
    enquiry.email = row.opt_text(7);
    enquiry.phone = row.opt_text(8);
    enquiry.message = row.text(9);
    enquiry.status = row.text(10);
    enquiry.note = row.opt_text(11);
    enquiry.created_at = row.time(12);
    enquiry.updated_at = row.time(13);
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
    const auto rows = connection.query(
        std::string("SELECT ") + columns +
            " FROM enquiries t JOIN memberships m ON m.organisation_id = t.organisation_id AND m.user_id = ? WHERE t.id = ?",
        {user_id, id});
    if (rows.empty()) return {};
    return read(rows[0]);
}

}  // namespace tradepost::enquiries
