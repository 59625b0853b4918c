// Enquiries from rows, and to JSON.
#pragma once
#include <optional>
#include <string>

#include "db/connection.h"
#include "json/writer.h"
#include "resources/enquiries/enquiry.h"

namespace tradepost::enquiries {

// What read() wants of the table `t`, in its order.
const std::string& columns();
Enquiry read(db::Row& row);

void write(json::Writer& writer, const Enquiry& enquiry);
std::string render(const Enquiry& enquiry);

// Empty when there is no such enquiry, or the user is no member of its recipient. One round trip.
std::optional<Enquiry> find_of_member(db::Connection& connection, const core::Uuid& user_id, const core::Uuid& id);

}  // namespace tradepost::enquiries
