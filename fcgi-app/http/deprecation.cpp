#include "http/deprecation.h"

#include <chrono>

namespace tradepost::http {

void add_deprecation(Response& response, const Deprecation& deprecation) {
    const auto since = std::chrono::floor<std::chrono::seconds>(deprecation.since).time_since_epoch().count();
    response.set("Deprecation", "@" + std::to_string(since));
    response.set("Sunset", core::to_http_date(deprecation.sunset));
    response.add_to_list("Link", "</docs/changelog>; rel=\"deprecation\"; type=\"text/html\"");
}

}  // namespace tradepost::http
