#include "api/list.h"

#include <algorithm>

#include "core/text.h"
#include "http/error.h"

namespace tradepost::api {

std::optional<search::Query> read_search(const http::Query& query) {
    const auto q = query.filter("q");
    if (!q) return {};
    if (core::code_points(*q) > 200) throw http::invalid_query("q is too long");
    try {
        return search::parse(*q);
    } catch (const search::SyntaxError&) {
        throw http::invalid_search();
    }
}

std::vector<std::string> texts(const http::Query& query, std::string_view name) {
    const auto values = query.filters(name);
    return {values.begin(), values.end()};
}

std::vector<std::string> codes(const http::Query& query, std::string_view name) {
    auto values = texts(query, name);
    for (auto& value : values) {
        value = core::fold(value);
        for (char& c : value)
            if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
        // No code, and the server refuses to compare it with one.
        if (!std::all_of(value.begin(), value.end(), [](unsigned char c) { return c < 0x80; })) value.clear();
    }
    return values;
}

std::optional<core::Uuid> read_id(const http::Query& query, std::string_view name) {
    const auto text = query.filter(name);
    if (!text) return {};
    const auto id = core::Uuid::parse(*text);
    if (!id) throw http::invalid_query("no UUID: " + std::string(name));
    return id;
}

ListKey::ListKey(std::string_view collection_name, const http::Query& query, std::initializer_list<std::string_view> filters, bool for_member)
    : collection(collection_name), text(collection_name) {
    text += for_member ? "*" : "?";
    for (const auto name : filters)
        for (const auto value : query.filters(name)) text.append(name).append("=").append(value).push_back('\0');
}

namespace detail {

std::string render(const ListKey& key, std::string_view items, const http::Page& page, std::int64_t total) {
    json::Writer writer;
    writer.begin_object().name("data").begin_object();
    writer.name(key.collection).raw(items);
    writer.member("total", total).member("page", page.number).member("pages", page.pages(total));
    writer.end_object().end_object();
    return writer.take();
}

namespace {

// A 304 has no body, and the headers that the 200 would have (RFC 9110, section 15.4.5).
http::Response with_headers(const Call& call, const ListKey& key, const http::Page& page, int status, std::string_view tag, std::int64_t total,
                            const std::string* body) {
    http::Response response;
    response.status = status;
    if (status == 200) response.body = *body;
    response.set("ETag", std::string(tag));
    http::add_page_headers(response, call.services.config.http.base_url + "/api/v1/" + std::string(key.collection), call.query, page, total);
    return response;
}

}  // namespace

http::Response answer(const Call& call, const ListKey& key, const http::Page& page, const Remembered::Entry& entry) {
    const auto asked = call.request.header("if-none-match");
    return with_headers(call, key, page, asked && http::names_tag(*asked, entry.tag) ? 304 : 200, entry.tag, entry.count.total, &entry.body);
}

const ListTags& list_tags(Call& call) {
    auto& tags = call.services.list_tags;
    if (!tags) tags.emplace(call.services.uploads.key("lists", call.services.clock.now()));
    return *tags;
}

std::optional<http::Response> not_modified(Call& call, const ListKey& key, std::string_view page_key, const http::Page& page,
                                           std::uint64_t version) {
    const auto asked = call.request.header("if-none-match");
    if (!asked) return {};
    const auto current = list_tags(call).find(*asked, page_key, version, call.services.clock.now());
    if (!current) return {};
    return with_headers(call, key, page, 304, current->tag, current->total, nullptr);
}

}  // namespace detail

std::optional<http::Response> detail_by_version(Call& call, std::string_view collection, const std::function<std::optional<Detail>()>& render) {
    const auto now = call.services.clock.now();
    const auto version = call.services.collections.version(collection);
    const auto key = std::string(collection) + "/" + call.parameters[0];
    http::Response response;
    if (const auto* entry = call.services.remembered.find(key, version, now)) {
        response.body = entry->body;
        response.set("ETag", entry->tag);
        return response;
    }
    const auto made = render();
    if (!made) return {};
    response = http::data(made->json);
    Remembered::Entry entry{version, now, {}, response.body, http::entity_tag(response.body)};
    entry.count.valid_until = made->valid_until;
    response.set("ETag", entry.tag);
    call.services.remembered.put(key, std::move(entry));
    return response;
}

}  // namespace tradepost::api
