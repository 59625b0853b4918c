#include "api/check.h"

#include <algorithm>

#include "limits/admission.h"

namespace tradepost::api {

void refuse_for_nginx(http::Response& response, const http::ApiError& error) {
    constexpr int told[] = {400, 401, 403, 404, 405, 409, 429, 503};
    if (std::find(std::begin(told), std::end(told), error.status) == std::end(told)) return;
    response.status = 403;
    response.set("X-Refusal", std::to_string(error.status));
    response.set("X-Refusal-Body", response.body);
}

void check_turn(const Call& call, const std::string& key, int places) {
    if (limits::Turns::is_full(limits::admission_path(call.services.config, "uploads"), key, places))
        throw http::service_unavailable("too many wait in the uploads pool: " + key);
}

void check_spool(const Call& call, std::uint64_t length) {
    const auto& store = call.services.store;
    if (store.spooled_bytes() + length > call.services.config.uploads.spool_bytes)
        throw http::service_unavailable(store.incoming() + " holds uploads.spool_bytes already");
}

}  // namespace tradepost::api
