#include "webhooks/signature.h"

#include "core/base64.h"
#include "core/crypto.h"

namespace tradepost::webhooks {

std::string new_secret() {
    return core::random_bytes(secret_bytes);
}

std::string secret_text(std::string_view secret) {
    return "whsec_" + core::to_base64(secret);
}

std::string sign(std::span<const std::string> secrets, std::string_view id, std::int64_t sent_at, std::string_view body) {
    const auto signed_text = std::string(id) + "." + std::to_string(sent_at) + "." + std::string(body);
    std::string signatures;
    for (const auto& secret : secrets)
        signatures.append(signatures.empty() ? "" : " ")
            .append("v1,")
            .append(core::to_base64(core::hmac_sha256(secret, signed_text)));
    return signatures;
}

std::vector<std::string> signed_headers(std::span<const std::string> secrets, std::string_view id, core::Time sent_at,
                                        std::string_view body) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(sent_at).time_since_epoch().count();
    return {"webhook-id: " + std::string(id), "webhook-timestamp: " + std::to_string(seconds),
            "webhook-signature: " + sign(secrets, id, seconds, body)};
}

}  // namespace tradepost::webhooks
