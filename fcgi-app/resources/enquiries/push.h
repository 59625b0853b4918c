// Push messages about new enquiries.
#pragma once
#include "core/config.h"
#include "db/connection.h"
#include "resources/enquiries/enquiry.h"

namespace tradepost::enquiries {

// A message for each device of the recipient's members that this instance can reach, in the transaction that inserts the enquiry.
void push(const core::Config& config, db::Connection& connection, const Enquiry& enquiry);

}  // namespace tradepost::enquiries
