// What happens when an upload becomes READY.
#pragma once
#include <string>

#include "db/connection.h"
#include "files/intake.h"
#include "resources/uploads/upload.h"

namespace tradepost::uploads {

// Inside the transaction that writes the row. The files of the upload get their names before it is committed, and after the commit once more
// (files::Store), also when its outcome is not known. `prepared` and `store` must outlive the commit. Throws as files::throw_api_error().
void publish(files::Store& store, db::Connection& connection, const std::string& content_type, const files::Prepared& prepared);

// Inside that transaction: tells the organisation's webhooks.
void announce_ready(db::Connection& connection, const Upload& upload, core::Time now);

}  // namespace tradepost::uploads
