#include "resources/operations/security_text.h"

#include "core/time.h"
#include "http/error.h"

namespace tradepost::operations {

http::Response get_security_text(api::Call& call) {
    const auto& security = call.services.config.security;
    if (security.contact.empty()) throw http::not_found();
    // Of the day, so that the text and its ETag change once a day.
    const auto expires = std::chrono::floor<std::chrono::days>(call.services.clock.now()) + std::chrono::days(30);
    http::Response response;
    for (const auto& uri : security.contact) response.body += "Contact: " + uri + "\n";
    response.body += "Expires: " + core::to_rfc3339(expires) + "\n";
    response.body += "Canonical: " + call.services.config.http.base_url + std::string(call.request.raw_path()) + "\n";
    if (!security.encryption.empty()) response.body += "Encryption: " + security.encryption + "\n";
    if (!security.policy.empty()) response.body += "Policy: " + security.policy + "\n";
    response.set("Content-Type", "text/plain; charset=utf-8");
    response.set("Cache-Control", "public, max-age=3600");
    return response;
}

}  // namespace tradepost::operations
