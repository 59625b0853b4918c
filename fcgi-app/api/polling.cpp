#include "api/polling.h"

#include "http/error.h"

namespace tradepost::api {
namespace {
constexpr std::chrono::minutes longest_transaction{15};
}

std::optional<core::Time> read_updated_since(const http::Query& query) {
    const auto text = query.filter("updatedSince");
    if (!text) return {};
    const auto time = core::parse_rfc3339(*text);
    if (!time) throw http::invalid_query("no time: updatedSince");
    return time;
}

void set_next_poll(const Call& call, http::Response& response, const std::optional<core::Time>& until) {
    response.set("X-Next-Updated-Since", core::to_rfc3339(until ? *until : call.services.clock.now() - longest_transaction));
}

}  // namespace tradepost::api
