// Pagination: the parameters page and limit of a list, and its headers Link and X-Total-Count.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "http/query.h"
#include "http/response.h"

namespace tradepost::http {

struct Page {
    std::int64_t number = 1;  // 1 … 2147483647
    std::int64_t limit = 20;  // 1 … 100

    std::int64_t offset() const { return (number - 1) * limit; }
    std::int64_t pages(std::int64_t total) const { return (total + limit - 1) / limit; }
};

// Throws invalid_query() when either is out of its bounds.
Page read_page(const Query& query);

// The page of a poll that follows, if there is one, and the position where it begins.
struct NextOfPoll {
    bool exists;
    std::string position;
};

// Adds X-Total-Count and Link (RFC 8288: first, prev, next, last). `url` is the list's without a query; the parameters that were used stay
// in the links. `next` is that of a poll, whose next link carries its position; null for other lists. Throws invalid_query() when four
// links with these parameters do not fit into the header that nginx takes from a worker.
void add_page_headers(Response& response, std::string_view url, const Query& query, Page page, std::int64_t total,
                      const NextOfPoll* next = nullptr);

}  // namespace tradepost::http
