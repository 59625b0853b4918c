// Reading lists as a request does, by their query strings.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "http/pagination.h"
#include "lists/newest_first.h"
#include "lists/totals.h"

namespace tradepost::test {

inline lists::Selection selected(const lists::List& list, const std::string& query, std::vector<core::Uuid> owners = {}) {
    auto selection = lists::select(list, http::Query(query));
    selection.owners = std::move(owners);
    return selection;
}

// `known` as newest_first() has it. A poll must have its updated_until.
inline lists::Page read(db::Connection& connection, const lists::Selection& selection, db::Slice slice, core::Time now,
                        const lists::Total* known = nullptr) {
    if (selection.is_empty()) return {};
    if (selection.updated_since) return lists::page_of_poll(connection, selection, slice, now);
    return lists::read_page(connection, selection, slice, now, known);
}

// The page that the query names.
inline lists::Page read(db::Connection& connection, const lists::List& list, const std::string& query, core::Time now,
                        std::vector<core::Uuid> owners = {}) {
    const auto page = http::read_page(http::Query(query));
    return read(connection, selected(list, query, std::move(owners)), {page.offset(), page.limit}, now);
}

// The total without a page: so far on there is none.
inline lists::Total total(db::Connection& connection, const lists::Selection& selection, core::Time now) {
    if (selection.updated_since) return lists::total_of(connection, selection, now);
    return read(connection, selection, {1'000'000'000, 1}, now).total;
}
inline lists::Total total(db::Connection& connection, const lists::List& list, const std::string& query, core::Time now,
                          std::vector<core::Uuid> owners = {}) {
    return total(connection, selected(list, query, std::move(owners)), now);
}

// The ids of the page's items, each once.
inline std::vector<core::Uuid> ids(const lists::Page& page) {
    std::vector<core::Uuid> found;
    for (const auto& row : page.rows)
        if (const auto id = row.uuid(0); found.empty() || found.back() != id) found.push_back(id);
    return found;
}

// "&name=value" for each of the values.
inline std::string parameters(std::string_view name, const std::vector<std::string>& values) {
    std::string query;
    for (const auto& value : values) query.append("&").append(name).append("=").append(http::percent_encode(value));
    return query;
}

}  // namespace tradepost::test
