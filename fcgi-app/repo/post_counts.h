// Which counts of the posts' lists a post takes part in, and which is a filter's total.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "domain/post.h"
#include "repo/list_counts.h"
#include "repo/posts.h"

namespace tradepost::repo {

// What of a row the lists' filters look at.
struct CountedPost {
    static constexpr std::string_view columns = "listed, published_at, tags";

    bool listed = false;
    std::optional<core::Time> published_at;
    std::set<std::string> tag_keys;  // folded

    static CountedPost of(const domain::Post& post, bool listed);
    // From `columns`, the first of which is column `first`.
    static CountedPost read(const db::Row& row, std::size_t first);
};

// Adds `n` for the post, if it is listed, to the count of all and those of its tags; each also by publication. Posts that are to
// be published later are among them.
void count(CountChanges& changes, const CountedPost& post, std::int64_t n);

// The filter whose count is what `filter` finds, and what will be published later. Empty when nobody keeps it.
std::optional<FilterKey> counted_filter(const PostFilter& filter);

}  // namespace tradepost::repo
