// The one way that public lists and details are answered: by version, from memory where it still holds.
#pragma once
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/call.h"
#include "http/conditional.h"
#include "http/pagination.h"
#include "json/writer.h"
#include "search/query.h"

namespace tradepost::api {

// `q` as a query; empty without one. Throws 400 for a repeated or too long q and for what the grammar refuses.
std::optional<search::Query> read_search(const http::Query& query);

// The values of a filter that may be repeated.
std::vector<std::string> texts(const http::Query& query, std::string_view name);

// The same for a filter over codes such as PERMANENT, which are found in either case.
std::vector<std::string> codes(const http::Query& query, std::string_view name);

// `organisationId` and other ids: at most once, a UUID.
std::optional<core::Uuid> read_id(const http::Query& query, std::string_view name);

// What names one list among all: its collection, and the filters that were given.
struct ListKey {
    std::string_view collection;  // also the key of its items in the answer
    std::string text;
    ListKey(std::string_view collection_name, const http::Query& query, std::initializer_list<std::string_view> filters, bool for_member = false);
};

namespace detail {
std::string render(const ListKey& key, std::string_view items, const http::Page& page, std::int64_t total);
http::Response answer(const Call& call, const ListKey& key, const http::Page& page, const Remembered::Entry& entry);
const ListTags& list_tags(Call& call);
// 304 when the client has the list as it is, by the tag that it names alone.
std::optional<http::Response> not_modified(Call& call, const ListKey& key, std::string_view page_key, const http::Page& page, std::uint64_t version);

// One page and the total; `known` when somebody counted before, else null.
template <class Repository, class Filter>
auto read(Repository& repository, const Filter& filter, repo::Slice slice, core::Time now, const repo::Count* known) {
    if constexpr (requires { repository.list(filter, slice, known); }) {
        return repository.list(filter, slice, known);
    } else if constexpr (requires { repository.list(filter, slice, now, known); }) {
        return repository.list(filter, slice, now, known);
    } else {
        const auto count = known ? *known : repository.count(filter, now);
        auto items = slice.offset < count.total ? repository.page(filter, count, slice, now) : decltype(repository.page(filter, count, slice, now))();
        return std::pair(std::move(items), count);
    }
}

template <class Repository, class Filter, class Write>
http::Response list_by_version(Call& call, const ListKey& key, Repository& repository, const Filter& filter, Write write) {
    const auto page = http::read_page(call.query);
    const auto now = call.services.clock.now();
    auto& remembered = call.services.remembered;
    const auto version = call.services.collections.version(key.collection);

    const auto page_key = key.text + "#" + std::to_string(page.number) + "/" + std::to_string(page.limit);
    if (const auto* entry = remembered.find(page_key, version, now)) return answer(call, key, page, *entry);
    if (auto response = not_modified(call, key, page_key, page, version)) return *response;

    Remembered::Entry entry{version, now, {}, {}, {}};
    const repo::Slice slice{page.offset(), page.limit};
    json::Writer items;
    items.begin_array();
    bool searched = false;
    if constexpr (requires { filter.search; }) {
        if ((searched = filter.search.has_value())) {
            auto [found, count] = repository.search(filter, slice, now);
            entry.count = count;
            for (const auto& item : found) write(items, item);
        }
    }
    if (!searched) {
        const auto* counted = remembered.find(key.text, version, now);
        auto [found, count] = read(repository, filter, slice, now, counted ? &counted->count : nullptr);
        entry.count = count;
        if (!counted) remembered.put(key.text, entry);
        for (const auto& item : found) write(items, item);
    }
    items.end_array();
    entry.body = render(key, items.text(), page, entry.count.total);
    entry.tag = list_tags(call).make(page_key, version, entry.count);
    auto response = answer(call, key, page, entry);
    remembered.put(page_key, std::move(entry));
    return response;
}

}  // namespace detail

// One resource as the public sees it, and until when it does.
struct Detail {
    std::string json;
    std::optional<core::Time> valid_until;
};

// The answer that is remembered for this path, or what `render` makes; empty when that finds nothing that the public may see.
std::optional<http::Response> detail_by_version(Call& call, std::string_view collection, const std::function<std::optional<Detail>()>& render);

// `repository` has count() and page() over `Filter`, or list() for both at once, and search() if the filter may hold a `search`;
// `write` writes one item.
template <class Repository, class Filter, class Write>
http::Response list(Call& call, const ListKey& key, Repository& repository, const Filter& filter, Write write) {
    if constexpr (!requires { filter.search; })
        return detail::list_by_version(call, key, repository, filter, write);
    else if (!filter.search)
        return detail::list_by_version(call, key, repository, filter, write);
    else
        return repo::searching([&] { return detail::list_by_version(call, key, repository, filter, write); });
}

}  // namespace tradepost::api
