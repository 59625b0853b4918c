#include "http/pagination.h"

#include <algorithm>
#include <limits>

#include "http/error.h"

namespace tradepost::http {
namespace {

constexpr std::size_t longest_link = 14'000;  // four of them, and the other headers, in fastcgi_buffer_size 64k

}  // namespace

Page read_page(const Query& query) {
    Page page;
    if (const auto number = query.integer("page", 1, std::numeric_limits<std::int32_t>::max())) page.number = *number;
    if (const auto limit = query.integer("limit", 1, 100)) page.limit = *limit;
    return page;
}

void add_page_headers(Response& response, std::string_view url, const Query& query, Page page, std::int64_t total,
                      const NextOfPoll* next) {
    std::string base(url);
    base += '?';
    for (const auto& [name, value] : query.used())
        if (name != "page" && !(next && name == "position"))
            base.append(percent_encode(name)).append("=").append(percent_encode(value)).append("&");
    base += "page=";
    if (base.size() > longest_link) {
        const auto is_longer = [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); };
        const auto used = query.used();
        const auto longest = std::max_element(used.begin(), used.end(), is_longer);
        throw invalid_query(longest->first, "is too long: all parameters together must fit into 14000 characters");
    }

    const std::int64_t last = std::max<std::int64_t>(1, page.pages(total));
    std::string links;
    const auto link = [&](std::int64_t number, const char* relation, const std::string& more = {}) {
        if (!links.empty()) links += ", ";
        links.append("<")
            .append(base)
            .append(std::to_string(number))
            .append(more)
            .append(">; rel=\"")
            .append(relation)
            .append("\"");
    };
    link(1, "first");
    if (page.number > 1) link(std::min(page.number - 1, last), "prev");
    if (next ? next->exists : page.number < last)
        link(page.number + 1, "next", next ? "&position=" + percent_encode(next->position) : std::string());
    link(last, "last");
    response.set("Link", std::move(links));
    response.set("X-Total-Count", std::to_string(total));
}

}  // namespace tradepost::http
