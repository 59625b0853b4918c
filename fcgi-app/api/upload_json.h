// What the handlers of uploads need beside them: their JSON, the key of their tickets, files.
#pragma once
#include <string>
#include <string_view>

#include "api/call.h"
#include "domain/upload.h"
#include "uploads/intake.h"

namespace tradepost::api {

// The instance's, read once a process.
const std::string& ticket_key(Call& call);

// `data` as the caller is shown it: only its maker sees the ticket.
std::string render(const Call& call, const domain::Upload& upload, std::string_view key);

// The body that nginx wrote to a file, checked against what was announced and made ready. Throws http::ApiError as
// uploads::prepare().
uploads::Prepared prepare_body(Call& call, const domain::Upload& announced);

// Removes the files of a deleted upload if nothing else refers to them. What fails, or is held by somebody, is left to be swept.
void forget_file(Call& call, std::string_view content_hash);

}  // namespace tradepost::api
