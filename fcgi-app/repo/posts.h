// Reading posts.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "db/connection.h"
#include "domain/post.h"
#include "repo/offset_search.h"
#include "repo/search_engine.h"

namespace tradepost::repo {

struct PostFilter {
    std::optional<search::Query> search;
    std::vector<std::string> tags;
};

class Posts {
public:
    Posts(db::Connection& connection, SearchEngine& search) : connection_(connection), search_(search) {}

    // One round trip where the writers keep the filter's count (see post_counts.h); else the rows are counted.
    Count count(const PostFilter& filter, core::Time now);

    // Without bodies; newest publishedAt first, then id descending. `count` is count()'s for the same filter.
    std::vector<domain::Post> page(const PostFilter& filter, const Count& count, Slice slice, core::Time now);

    // The same and the total at once, best match first; `filter.search` is set.
    std::pair<std::vector<domain::Post>, Count> search(const PostFilter& filter, Slice slice, core::Time now);

    // What the public may see.
    std::optional<domain::Post> find(std::string_view id_or_slug, core::Time now);

private:
    std::optional<core::Time> next_change(core::Time now);
    std::optional<Count> kept_count(const PostFilter& filter, core::Time now);
    std::optional<OffsetStart> start_of(const PostFilter& filter, std::int64_t offset, core::Time now);
    db::Connection& connection_;
    SearchEngine& search_;
};

}  // namespace tradepost::repo
