// Pictures and PDFs that organisations attach.
#pragma once
#include "api/call.h"

namespace tradepost::api {

http::Response create_upload(Call& call);
http::Response get_upload(Call& call);
http::Response delete_upload(Call& call);

// nginx asks, before it lets the bytes in, whether a ticket opens anything now: 200 or 403. No client reaches it.
http::Response check_ticket(Call& call);

// PUT /upload/{ticket}: the bytes, in a file that nginx wrote.
http::Response put_upload(Call& call);

}  // namespace tradepost::api
