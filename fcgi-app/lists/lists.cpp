#include "lists/lists.h"

#include "core/log.h"
#include "core/present.h"
#include "http/conditional.h"
#include "lists/newest_first.h"
#include "lists/source.h"

namespace tradepost::lists {
namespace {

// So many hidden rows still cost a reader less than taking them out of the counts would.
constexpr std::int64_t few_hidden = 10;
constexpr int removed_at_once = 200;

// No transaction of ours takes longer: whoever polls from so long ago misses nothing that is being written now.
constexpr std::chrono::minutes longest_transaction{15};

http::Response reply(std::string_view if_none_match, const std::string& body, const std::string& tag) {
    http::Response response;
    response.set("ETag", tag);
    if (http::names_tag(if_none_match, tag))
        response.status = 304;
    else
        response.body = body;
    return response;
}

// The rows of so many items; whether there were more.
bool cut(db::Rows& rows, std::int64_t items) {
    std::int64_t seen = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i > 0 && rows[i].uuid(0) == rows[i - 1].uuid(0)) continue;
        if (++seen <= items) continue;
        rows.resize(i);
        return true;
    }
    return false;
}

}  // namespace

http::Response Lists::answer(const List& list, const http::Request& request, const http::Query& query,
                             const std::function<std::vector<core::Uuid>()>& owners) {
    auto selection = select(list, query);
    const Asked asked{request, query, selection, http::read_page(query), clock_.now()};
    if (owners) selection.owners = owners();
    if (selection.updated_since) return poll(asked);
    if (list.versioned) return selection.search ? search::searching([&] { return cached_answer(asked); }) : cached_answer(asked);
    auto page = read(asked, nullptr);
    http::Response response;
    response.body = render(asked, page);
    add_headers(asked, page.total, response);
    return response;
}

// A client's copy that its tag alone shows to be current needs neither the cache nor the database.
http::Response Lists::cached_answer(const Asked& asked) {
    const auto& list = *asked.selection.list;
    const auto if_none_match = asked.request.header("if-none-match").value_or("");
    const auto version = versions_.version(list.collection);
    const auto key = asked.selection.key();
    const auto page_key = key + "#" + std::to_string(asked.page.number) + "/" + std::to_string(asked.page.limit);
    if (const auto* entry = cache_.find(page_key, version, asked.now)) {
        auto response = reply(if_none_match, entry->body, entry->tag);
        add_headers(asked, entry->total, response);
        return response;
    }
    if (!if_none_match.empty()) {
        if (const auto current = tags().find(if_none_match, page_key, version, asked.now)) {
            auto response = reply(if_none_match, {}, std::string(current->tag));
            add_headers(asked, {current->total}, response);
            return response;
        }
    }

    const auto* counted = asked.selection.search ? nullptr : cache_.find(key, version, asked.now);
    auto page = read(asked, counted ? &counted->total : nullptr);
    if (!counted && !asked.selection.search) cache_.put(key, {version, asked.now, page.total, {}, {}});
    versions::ResponseCache::Entry entry{version, asked.now, page.total, render(asked, page),
                                         tags().make(page_key, version, page.total)};
    auto response = reply(if_none_match, entry.body, entry.tag);
    add_headers(asked, entry.total, response);
    if (!counted) remove_hidden_later(list, entry.total, response);
    cache_.put(page_key, std::move(entry));
    return response;
}

Page Lists::read(const Asked& asked, const Total* known) {
    const auto& selection = asked.selection;
    if (selection.is_empty()) return {};
    if (selection.search) return search(asked);
    const auto read_page = selection.list->read ? selection.list->read : newest_first;
    return read_page(reads_, selection, {asked.page.offset(), asked.page.limit}, asked.now, known);
}

Page Lists::search(const Asked& asked) {
    const auto& selection = asked.selection;
    const auto& list = *selection.list;
    const auto order =
        list.search_order ? list.search_order(asked.now) : db::Sql("t." + std::string(list.order) + " DESC, t.id DESC");
    const auto matches =
        search_.find(list.table, *list.searched, core::present(selection.search), conditions(selection, Rows::shown, asked.now),
                     order, {asked.page.offset(), asked.page.limit});
    Page page{rows_of(reads_, list, matches.ids), {matches.total}};
    if (list.next_change) {
        page.total.valid_until = list.next_change(reads_, asked.now);
    } else if (list.hidden) {
        const auto next = reads_.query(db::Sql("SELECT ").add(list.hidden->next, {asked.now}));
        page.total.valid_until = next.at(0).opt_time(0);
    }
    return page;
}

std::string Lists::render(const Asked& asked, Page& page) const {
    const auto& list = *asked.selection.list;
    json::Writer writer;
    writer.begin_object().name("data").begin_object().name(list.collection).begin_array();
    list.write(writer, page.rows);
    writer.end_array();
    writer.member("total", page.total.rows).member("page", asked.page.number).member("pages", asked.page.pages(page.total.rows));
    writer.end_object().end_object();
    return writer.take();
}

http::Response Lists::poll(const Asked& asked) {
    auto selection = asked.selection;
    if (!selection.updated_until) selection.updated_until = selection.list->horizon(connection_, selection, clock_);
    const auto offset = selection.position ? 0 : asked.page.offset();
    Page page;
    if (!selection.is_empty()) page = page_of_poll(connection_, selection, {offset, asked.page.limit + 1}, asked.now);
    http::NextOfPoll next{cut(page.rows, asked.page.limit), {}};
    if (next.exists) {
        const auto& last = page.rows.back();
        next.position = Position{*selection.updated_until, last.time(last.columns() - 1), last.uuid(0)}.to_string();
    }
    http::Response response;
    response.body = render(asked, page);
    response.set("X-Next-Updated-Since", core::to_rfc3339(*selection.updated_until));
    add_headers(asked, page.total, response, &next);
    return response;
}

// A 304 has the headers that the 200 would have (RFC 9110, section 15.4.5).
void Lists::add_headers(const Asked& asked, const Total& total, http::Response& response, const http::NextOfPoll* next) const {
    const auto& list = *asked.selection.list;
    http::add_page_headers(response, base_url_ + "/api/v1/" + std::string(list.collection), asked.query, asked.page, total.rows,
                           next);
    if (!asked.selection.is_public()) response.set("Cache-Control", "private, no-cache");
    if (list.horizon && !next) response.set("X-Next-Updated-Since", core::to_rfc3339(asked.now - longest_transaction));
}

// After the answer, because the next request waits for it; at most once a second.
void Lists::remove_hidden_later(const List& list, const Total& total, http::Response& response) {
    if (!list.hidden || !list.hidden->remove || total.hidden <= few_hidden || std::chrono::steady_clock::now() < next_removal_)
        return;
    response.after = [this, &list, now = clock_.now()] {
        next_removal_ = std::chrono::steady_clock::now() + std::chrono::seconds(1);
        try {
            list.hidden->remove(connection_, now, removed_at_once);
        } catch (const std::exception& error) {
            core::log::warning("hidden_rows_not_removed", {{"list", list.name}, {"error", error.what()}});
        }
    };
}

const versions::ListTags& Lists::tags() {
    if (!tags_) tags_.emplace(tag_key_());
    return *tags_;
}

std::optional<http::Response> Lists::detail(std::string_view collection, const std::string& id_or_slug,
                                            const std::function<std::optional<Detail>()>& find) {
    const auto now = clock_.now();
    const auto version = versions_.version(collection);
    const auto key = std::string(collection) + "/" + id_or_slug;
    http::Response response;
    if (const auto* entry = cache_.find(key, version, now)) {
        response.body = entry->body;
        response.set("ETag", entry->tag);
        return response;
    }
    const auto found = find();
    if (!found) return {};
    response = http::data(found->json);
    response.set("ETag", http::entity_tag(response.body));
    cache_.put(key, {version, now, {0, found->valid_until}, response.body, std::string(core::present(response.header("ETag")))});
    return response;
}

}  // namespace tradepost::lists
