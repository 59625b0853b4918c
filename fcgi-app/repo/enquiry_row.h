// The columns of an enquiry, for those who read them.
#pragma once
#include "db/connection.h"
#include "domain/enquiry.h"

namespace tradepost::repo {

inline constexpr const char* enquiry_columns =
    "t.id, t.organisation_id, t.type, t.stock_id, t.job_id, t.from_user_id, t.name, t.email, t.phone, t.message, t.status, t.note, "
    "t.created_at, t.updated_at";

inline domain::Enquiry read_enquiry(const db::Row& row) {
    domain::Enquiry enquiry;
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

}  // namespace tradepost::repo
