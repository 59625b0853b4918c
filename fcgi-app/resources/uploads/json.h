// Helpers of the handlers of uploads: JSON, the key of tickets, files.
#pragma once
#include <string>
#include <string_view>

#include "api/call.h"
#include "files/intake.h"
#include "resources/uploads/upload.h"

namespace tradepost::uploads {

// The key of upload tickets.
const std::string& ticket_key(api::Call& call);

// `data` for the caller: only the user who created the upload sees its ticket.
std::string render(const api::Call& call, const Upload& upload, std::string_view key);

// Checks the body that nginx wrote to a file against what was announced, and prepares it. Throws http::ApiError as
// files::prepare().
files::Prepared prepare_body(api::Call& call, const Upload& announced);

// Removes the files of a deleted upload unless another upload refers to them. Files that cannot be removed now are left to
// files::Store::sweep().
void remove_unreferenced_files(api::Call& call, std::string_view content_hash);

}  // namespace tradepost::uploads
