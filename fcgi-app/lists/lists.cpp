#include "lists/lists.h"

#include "core/log.h"
#include "core/present.h"
#include "http/conditional.h"
#include "lists/horizon.h"
#include "lists/newest_first.h"
#include "lists/source.h"
#include "lists/totals.h"

namespace tradepost::lists {
namespace {

// So many hidden rows still cost a reader less than taking them out of the counts would.
constexpr std::int64_t few_hidden = 10;
constexpr int removed_at_once = 200;

// No transaction of ours takes longer: whoever polls from so long ago misses nothing that is being written now.
constexpr std::chrono::minutes longest_transaction{15};

// The body is left out when the client's preconditions do without it: the response is completed by them anyway, and a copy takes time.
http::Response reply(const http::Request& request, const std::string& body, const std::string& tag) {
    http::Response response;
    response.set("ETag", tag);
    if (http::evaluate(request, tag) == http::Preconditions::met) response.body = body;
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
    try {
        return may_cache(selection) ? cached_answer(asked) : fresh_answer(asked);
    } catch (const db::Error& error) {
        if (!selection.search) throw;
        throw SearchUnavailable(error.what());
    }
}

bool Lists::may_cache(const Selection& selection) const {
    return selection.list->versioned && !selection.updated_since && (!selection.search || search_.is_current());
}

// What the version of a collection does not tell: lists without one, and what an engine has yet to be told.
http::Response Lists::fresh_answer(const Asked& asked) {
    auto page = read(asked, nullptr);
    http::Response response;
    response.body = render(asked, page);
    if (asked.selection.list->versioned) response = reply(asked.request, response.body, http::entity_tag(response.body));
    add_headers(asked, page.total, response);
    return response;
}

// A client's copy that its tag alone shows to be current needs neither the cache nor the database.
Lists::Answered Lists::cached(const http::Request& request, std::string_view collection, const std::string& key, core::Time now,
                              const std::function<Made(std::uint64_t version)>& make) {
    const auto if_none_match = request.header("if-none-match").value_or("");
    const auto version = versions_.version(collection);
    if (const auto* entry = cache_.find(key, version, now)) return {reply(request, entry->body, entry->tag), entry->total, false};
    if (!if_none_match.empty())
        if (const auto current = tags().find(if_none_match, key, version, now))
            return {reply(request, {}, std::string(current->tag)), {current->total}, false};
    auto made = make(version);
    versions::ResponseCache::Entry entry{version, now, made.total, std::move(made.body), tags().make(key, version, made.total)};
    Answered answered{reply(request, entry.body, entry.tag), entry.total, true};
    cache_.put(key, std::move(entry));
    return answered;
}

http::Response Lists::cached_answer(const Asked& asked) {
    const auto key = asked.selection.key(), page = std::to_string(asked.page.number) + "/" + std::to_string(asked.page.limit);
    bool counted = false;
    const auto make = [&](std::uint64_t version) {
        const auto* known = asked.selection.search ? nullptr : cache_.find(key, version, asked.now);
        auto found = read(asked, known ? &known->total : nullptr);
        counted = !known;
        if (counted && !asked.selection.search) cache_.put(key, {version, asked.now, found.total, {}, {}});
        return Made{found.total, render(asked, found)};
    };
    auto [response, total, made] = cached(asked.request, asked.selection.list->collection, key + "#" + page, asked.now, make);
    add_headers(asked, total, response);
    if (made && counted) remove_hidden_later(*asked.selection.list, total, response);
    return std::move(response);
}

Page Lists::read(const Asked& asked, const Total* known) {
    const auto& selection = asked.selection;
    if (selection.is_empty()) return {};
    if (selection.search || reads_many_rows(selection, asked.page.offset(), known)) admit_search_();
    if (selection.search) return search(asked);
    return read_page(reads_, selection, {asked.page.offset(), asked.page.limit}, asked.now, known);
}

Page Lists::search(const Asked& asked) {
    const auto& selection = asked.selection;
    const auto& list = *selection.list;
    require_derived(reads_, selection);
    const auto matches = search_.find(selection, {asked.page.offset(), asked.page.limit}, asked.now);
    return {rows_of(reads_, selection, matches.ids, asked.now), {matches.total, next_change(list, asked.now)}};
}

// What a search does not tell.
std::optional<core::Time> Lists::next_change(const List& list, core::Time now) {
    if (list.upcoming) return list.upcoming->next_change(reads_, now);
    if (!list.hidden) return {};
    return reads_.query(db::Sql("SELECT ").add(list.hidden->next, {now})).at(0).opt_time(0);
}

http::Response Lists::facets(const List& list, const http::Request& request, const http::Query& query,
                             const std::function<std::vector<core::Uuid>()>& owners) {
    const auto fields = read_fields(list, query);
    auto selection = select(list, query);
    selection.sort = nullptr;
    if (owners) selection.owners = owners();
    const auto now = clock_.now();
    const auto make = [&] { return make_facets(selection, fields, now); };
    http::Response response;
    if (may_cache(selection)) {
        auto key = selection.key() + "#facets";
        for (const auto* field : fields) key.append(",").append(field->name);
        auto answered = cached(request, list.collection, key, now, [&](std::uint64_t) { return make(); });
        response = std::move(answered.response);
        if (answered.made) remove_hidden_later(list, answered.total, response);
    } else {
        const auto body = make().body;
        response = reply(request, body, http::entity_tag(body));
    }
    if (!selection.is_public()) response.set("Cache-Control", "private, no-cache");
    return response;
}

Lists::Made Lists::make_facets(const Selection& selection, const Fields& fields, core::Time now) {
    Facets found{std::vector<std::map<std::string, std::int64_t>>(fields.size()), {}};
    if (!selection.is_empty() && (selection.search || !are_kept(selection, fields))) admit_search_();
    if (!selection.is_empty() && !selection.search) {
        found = facets_of(reads_, texts_, selection, fields, now, search_timeout_);
    } else if (!selection.is_empty()) {
        try {
            require_derived(reads_, selection);
            found = search_.facets(selection, fields, now);
            found.total.valid_until = next_change(*selection.list, now);
        } catch (const db::Error& error) {
            throw SearchUnavailable(error.what());
        }
    }
    return {found.total, to_json(fields, found)};
}

http::Response Lists::digest(const List& list, std::string_view index, const http::Request& request, const http::Query& query,
                             const std::function<std::vector<core::Uuid>()>& owners) {
    auto selection = select(list, query);
    selection.sort = nullptr;
    const auto part = read_part(selection, query);
    if (owners) selection.owners = owners();
    const auto now = clock_.now();
    const auto key = selection.key() + "#digest" + (part ? std::to_string(*part) : "");
    auto response = cached(request, list.collection, key, now, [&](std::uint64_t) {
                        if (!selection.is_empty()) admit_search_();
                        auto made = digest_of(reads_, selection, index, part, now, search_timeout_);
                        return Made{made.total, std::move(made.json)};
                    }).response;
    if (!selection.is_public()) response.set("Cache-Control", "private, no-cache");
    return response;
}

std::string Lists::render(const Asked& asked, Page& page) const {
    const auto& list = *asked.selection.list;
    json::Writer writer;
    writer.begin_object().name("data").begin_object().name(list.collection).begin_array();
    list.items.write(writer, page.rows);
    writer.end_array();
    writer.member("total", page.total.rows).member("page", asked.page.number).member("pages", asked.page.pages(page.total.rows));
    writer.end_object().end_object();
    return writer.take();
}

http::Response Lists::poll(const Asked& asked) {
    auto selection = asked.selection;
    if (!selection.is_empty()) admit_search_();
    if (!selection.updated_until) selection.updated_until = selection.list->poll.horizon(connection_, selection, clock_);
    const auto offset = selection.position ? 0 : asked.page.offset();
    Page page;
    if (!selection.is_empty()) page = page_of_poll(connection_, selection, {offset, asked.page.limit + 1}, asked.now);
    http::NextOfPoll next{cut(page.rows, asked.page.limit), {}};
    if (next.exists) {
        const auto& last = page.rows.back();
        next.position =
            Position{*selection.updated_until, last.opt_time(last.columns() - 1).value_or(no_time), last.uuid(0)}.to_string();
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
    if (list.poll.horizon && !next) response.set("X-Next-Updated-Since", core::to_rfc3339(asked.now - longest_transaction));
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
            core::log::warning("hidden_rows_not_removed", {{"list", list.collection}, {"error", error.what()}});
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
