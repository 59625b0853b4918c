// Helpers of the handlers of uploads: JSON, the key of tickets, files.
#pragma once
#include <string>
#include <string_view>

#include "api/call.h"
#include "files/intake.h"
#include "json/writer.h"
#include "resources/uploads/upload.h"

namespace tradepost::uploads {

// The key of the organisation's turn at having a picture decoded, and how many of its uploads wait or are decoded at most.
constexpr int most_waiting = 4;
std::string turn_key(const core::Uuid& organisation_id);

// The key of upload tickets.
const std::string& ticket_key(api::Call& call);

// An upload for the caller: only the user who created it sees its ticket.
void write(json::Writer& writer, const api::Call& call, const Upload& upload, std::string_view key);

// The same as `data`.
std::string render(const api::Call& call, const Upload& upload, std::string_view key);

// An upload for whom it has no ticket.
std::string render(const Upload& upload);

// Checks the body that nginx wrote to a file against what was announced, and prepares it. Throws http::ApiError as
// files::prepare(), and 503 when the organisation has too many files prepared at once. Counts a body that cannot be decoded.
files::Prepared prepare_body(api::Call& call, const Upload& announced);

// The same for bytes that came as JSON.
files::Prepared prepare_data(api::Call& call, const core::Uuid& organisation_id, std::string_view bytes,
                             std::string_view content_type);

// Removes the files of a deleted upload unless another upload refers to them. Files that cannot be removed now are left to
// files::Store::sweep().
void remove_unreferenced_files(api::Call& call, std::string_view content_hash);

}  // namespace tradepost::uploads
