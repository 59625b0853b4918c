#include "resources/feeds/handlers.h"

#include <charconv>

#include "http/error.h"
#include "resources/feeds/body.h"

namespace tradepost::feeds {

// nginx tells the length in a header of its own; a chunked body has none.
http::Response check_feed(api::Call& call) {
    if (call.caller().roles.empty()) throw http::ApiError(403, "Forbidden", {}, {{"X-Refusal", "unknown"}});
    const auto text = call.request.header("x-upload-length").value_or("");
    std::uint64_t length = most_bytes;
    if (!text.empty() && std::from_chars(text.data(), text.data() + text.size(), length).ec != std::errc())
        throw http::forbidden();
    if (call.services.store.spooled_bytes() + length > call.services.config.uploads.spool_bytes)
        throw http::service_unavailable(call.services.store.incoming() + " holds uploads.spool_bytes already");
    return http::data("{}");
}

}  // namespace tradepost::feeds
