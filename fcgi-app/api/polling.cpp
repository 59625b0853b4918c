#include "api/polling.h"

#include "api/list.h"
#include "http/error.h"

namespace tradepost::api {
namespace {
constexpr std::chrono::minutes longest_transaction{15};
}

std::vector<core::Uuid> own_organisations(const Call& call, const std::optional<core::Uuid>& named) {
    const auto& roles = call.principal->roles;
    if (named && !roles.contains(*named)) throw http::not_found();
    if (named) return {*named};
    std::vector<core::Uuid> ids;
    for (const auto& [id, role] : roles) ids.push_back(id);
    return ids;
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

http::Response page_of_list(const Call& call, std::string_view collection, std::string_view items, const http::Page& page, std::int64_t total,
                            const std::optional<core::Time>& until) {
    http::Response response;
    response.body = detail::render(ListKey(collection, call.query, {}), items, page, total);
    http::add_page_headers(response, call.services.config.http.base_url + "/api/v1/" + std::string(collection), call.query, page, total);
    set_next_poll(call, response, until);
    return response;
}

}  // namespace tradepost::api
