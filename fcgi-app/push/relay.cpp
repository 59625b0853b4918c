#include "push/relay.h"

#include "core/base64.h"
#include "core/hmac.h"

namespace tradepost::push {

std::vector<std::string> signed_headers(std::string_view secret, const core::Uuid& id, std::int64_t sent_at,
                                        std::string_view body) {
    const auto time = std::to_string(sent_at);
    const auto code = core::hmac_sha256(secret, id.to_string() + "." + time + "." + std::string(body));
    return {"webhook-id: " + id.to_string(), "webhook-timestamp: " + time, "webhook-signature: v1," + core::to_base64(code)};
}

}  // namespace tradepost::push
