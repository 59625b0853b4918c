// Handlers of uploads: /api/v1/uploads, and /upload/{ticket} for large files.
#pragma once
#include "api/call.h"

namespace tradepost::uploads {

http::Response list_uploads(api::Call& call);
http::Response create_upload(api::Call& call);
http::Response get_upload(api::Call& call);
http::Response delete_upload(api::Call& call);

// For nginx alone, which asks before it accepts the bytes: 200 when the ticket is valid now, else 403.
http::Response check_ticket(api::Call& call);

// PUT /upload/{ticket}: the bytes, in a file that nginx wrote.
http::Response put_upload(api::Call& call);

}  // namespace tradepost::uploads
