// The responses to GETs of lists and of public details, from the response cache while an entry is valid.
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/clock.h"
#include "db/connection.h"
#include "http/pagination.h"
#include "http/request.h"
#include "http/response.h"
#include "lists/digest.h"
#include "lists/facets.h"
#include "lists/search_engine.h"
#include "lists/selection.h"
#include "versions/collection_versions.h"
#include "versions/list_tags.h"
#include "versions/response_cache.h"

namespace tradepost::lists {

// A public resource as JSON, and until when it is public; empty: no end is known.
struct Detail {
    std::string json;
    std::optional<core::Time> valid_until = {};
};

// One object serves one worker. Borrows what it is made of. Polls, which wait for writers, ask `connection`; all other requests ask
// `reads`. `tag_key`
// gives the key of the lists' entity tags; it is asked once. `admit_search` is called before the database does expensive work for a request: a search, or
// rows that have to be counted. It throws what refuses the request.
class Lists {
public:
    Lists(
        db::Connection& connection, db::Connection& reads, SearchEngine& search, std::chrono::milliseconds search_timeout,
        versions::CollectionVersions& versions, versions::ResponseCache& cache, const core::Clock& clock, std::string base_url,
        std::function<std::string()> tag_key, std::function<void()> admit_search = [] {})
        : connection_(connection),
          reads_(reads),
          search_(search),
          search_timeout_(search_timeout),
          versions_(versions),
          cache_(cache),
          clock_(clock),
          base_url_(std::move(base_url)),
          tag_key_(std::move(tag_key)),
          admit_search_(std::move(admit_search)) {}

    // The response to a GET of the list, with all headers. `owners` returns the values of the list's scope; it is called once the query
    // was found valid. Throws 400 for an invalid parameter, SearchUnavailable, db::Unavailable and db::Error.
    http::Response answer(const List& list, const http::Request& request, const http::Query& query,
                          const std::function<std::vector<core::Uuid>()>& owners = {});

    // The same for the list's facets. Those that no counts are kept of are counted for as long as a search may take, then throws
    // SearchUnavailable.
    http::Response facets(const List& list, const http::Request& request, const http::Query& query,
                          const std::function<std::vector<core::Uuid>()>& owners = {});

    // The same for the list's digest, or for one part of it; see digest_of().
    http::Response digest(const List& list, std::string_view index, const http::Request& request, const http::Query& query,
                          const std::function<std::vector<core::Uuid>()>& owners = {});

    // The response to a public GET of one resource: the cached one, or one made from what `read` returns. Empty when `read` returns
    // nothing, because the public may see nothing there.
    std::optional<http::Response> detail(std::string_view collection, const std::string& id_or_slug,
                                         const std::function<std::optional<Detail>()>& read);

private:
    struct Asked {  // a request that answer() processes
        const http::Request& request;
        const http::Query& query;
        const Selection& selection;
        http::Page page;
        core::Time now;
    };
    struct Made {
        Total total;
        std::string body;
    };
    struct Answered {
        http::Response response;  // with ETag
        Total total;
        bool made;  // now, not taken from the cache
    };
    Answered cached(const http::Request& request, std::string_view collection, const std::string& key, core::Time now,
                    const std::function<Made(std::uint64_t version)>& make);
    bool may_cache(const Selection& selection) const;
    Made make_facets(const Selection& selection, const Fields& fields, core::Time now);
    std::optional<core::Time> next_change(const List& list, core::Time now);
    http::Response fresh_answer(const Asked& asked);
    http::Response cached_answer(const Asked& asked);
    Page read(const Asked& asked, const Total* known);
    Page search(const Asked& asked);
    std::string render(const Asked& asked, Page& page) const;
    http::Response poll(const Asked& asked);
    void add_headers(const Asked& asked, const Total& total, http::Response& response,
                     const http::NextOfPoll* next = nullptr) const;
    const versions::ListTags& tags();
    void remove_hidden_later(const List& list, const Total& total, http::Response& response);

    db::Connection &connection_, &reads_;
    SearchEngine& search_;
    std::chrono::milliseconds search_timeout_;
    versions::CollectionVersions& versions_;
    versions::ResponseCache& cache_;
    const core::Clock& clock_;
    std::string base_url_;
    std::function<std::string()> tag_key_;
    std::function<void()> admit_search_;
    counts::Texts texts_;
    std::optional<versions::ListTags> tags_;
    std::chrono::steady_clock::time_point next_removal_{};
};

}  // namespace tradepost::lists
