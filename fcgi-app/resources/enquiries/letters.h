// Letters about a new enquiry, to the members of the recipient who want them.
#pragma once
#include <chrono>

#include "api/call.h"
#include "resources/enquiries/enquiry.h"
#include "writes/transaction.h"

namespace tradepost::enquiries {

// The next time of the day at `hour` o'clock UTC, later than `now`.
core::Time next_digest(core::Time now, std::chrono::hours hour);

// Inside the transaction that inserts the enquiry. Does nothing without a mail server.
void send_letters(api::Call& call, writes::WriteTransaction& transaction, const Enquiry& enquiry);

}  // namespace tradepost::enquiries
