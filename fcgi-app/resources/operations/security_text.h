// GET /.well-known/security.txt (RFC 9116): where to report a vulnerability.
#pragma once
#include "api/call.h"

namespace tradepost::operations {

http::Response get_security_text(api::Call& call);  // 404 without a contact in the configuration

}  // namespace tradepost::operations
