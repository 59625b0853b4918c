#include "repo/enquiry_writer.h"

#include <stdexcept>

#include "repo/enquiry_row.h"

namespace tradepost::repo {
namespace {

std::string target(EnquiryTarget kind) {
    const std::string of_organisation =
        " t JOIN organisations o ON o.id = t.organisation_id WHERE t.status = 'PUBLISHED' AND t.id";
    switch (kind) {
        case EnquiryTarget::stock:
            return "o.id, NULL FROM users u JOIN stock_items" + of_organisation;
        case EnquiryTarget::job:
            return "o.id, t.expires_at FROM users u JOIN jobs" + of_organisation;
        case EnquiryTarget::organisation:
            return "o.id, NULL FROM users u JOIN organisations o WHERE o.id";
    }
    throw std::logic_error("no such target");
}

}  // namespace

std::optional<EnquiryWriter::Found> EnquiryWriter::find_target(const core::Uuid& sender_id, EnquiryTarget kind,
                                                               const core::Uuid& id) {
    const auto rows =
        connection_.query("SELECT " + target(kind) + " = ? AND o.published = 1 AND u.id = ? LOCK IN SHARE MODE", {id, sender_id});
    if (rows.empty()) return {};
    return Found{rows[0].uuid(0), rows[0].opt_time(1)};
}

std::optional<domain::Enquiry> EnquiryWriter::find(const core::Uuid& id) {
    const auto rows =
        connection_.query(std::string("SELECT ") + enquiry_columns + " FROM enquiries t WHERE t.id = ? FOR UPDATE", {id});
    if (rows.empty()) return {};
    return read_enquiry(rows[0]);
}

void EnquiryWriter::insert(const domain::Enquiry& e) {
    connection_.execute(
        "INSERT INTO enquiries (id, organisation_id, type, stock_id, job_id, from_user_id, name, email, phone, message, status, "
        "note, created_at, "
        "updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        {e.id, e.organisation_id, e.type, e.stock_id, e.job_id, e.from_user_id, e.name, e.email, e.phone, e.message, e.status,
         e.note, e.created_at, e.updated_at});
    count(counts_, CountedEnquiry::of(e), +1);
}

void EnquiryWriter::update(const domain::Enquiry& e, const domain::Enquiry& row) {
    connection_.execute("UPDATE enquiries SET status = ?, note = ?, updated_at = ? WHERE id = ?",
                        {e.status, e.note, e.updated_at, e.id});
    count(counts_, CountedEnquiry::of(row), -1);
    count(counts_, CountedEnquiry::of(e), +1);
}

void EnquiryWriter::remove(const domain::Enquiry& row) {
    connection_.execute("DELETE FROM enquiries WHERE id = ?", {row.id});
    count(counts_, CountedEnquiry::of(row), -1);
}

}  // namespace tradepost::repo
