// Enquiries from rows, and to JSON.
#pragma once
#include <optional>
#include <string>

#include "db/connection.h"
#include "json/writer.h"
#include "resources/enquiries/enquiry.h"

namespace tradepost::enquiries {

// What read() wants of the table `t`, in its order. The recipient sees the item or job as it is, or what was kept of it once it is deleted;
// the sender what it was when the enquiry was sent, since it may be a draft by now.
const std::string& columns();
const std::string& columns_of_sender();
Enquiry read(db::Row& row);

void write(json::Writer& writer, const Enquiry& enquiry);
std::string render(const Enquiry& enquiry);

// As the user sees it: a member of the recipient, or the sender, for whom there is no note. Empty for others. One round trip.
std::optional<Enquiry> find_for(db::Connection& connection, const core::Uuid& user_id, const core::Uuid& id);

}  // namespace tradepost::enquiries
