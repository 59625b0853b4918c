#include "http/cors.h"

#include <algorithm>

namespace tradepost::http {

void add_cors(Response& response, const Request& request, bool open_to_all, const std::vector<std::string>& allowed_origins,
              const std::string& allow) {
    const auto origin = request.header("origin");
    if (open_to_all) {
        response.set("Access-Control-Allow-Origin", "*");
    } else {
        response.add_to_list("Vary", "Origin");
        if (!origin || std::find(allowed_origins.begin(), allowed_origins.end(), *origin) == allowed_origins.end()) return;
        response.set("Access-Control-Allow-Origin", std::string(*origin));
    }
    if (request.method == "OPTIONS" && request.header("access-control-request-method")) {
        response.set("Access-Control-Allow-Methods", allow);
        response.set("Access-Control-Allow-Headers",
                     "Authorization, Content-Encoding, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id");
        response.set("Access-Control-Max-Age", "7200");
    } else {
        response.set("Access-Control-Expose-Headers",
                     "ETag, Idempotent-Replayed, Link, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, "
                     "Retry-After, X-Invalid-Parameter, "
                     "X-Next-Updated-Since, X-Request-Id, X-Token-Expires-At, X-Token-Ignored, X-Total-Count");
    }
}

}  // namespace tradepost::http
