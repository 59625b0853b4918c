#include "repo/post_counts.h"

#include <nlohmann/json.hpp>

#include "core/text.h"
#include "repo/time_counts.h"

namespace tradepost::repo {
namespace {

constexpr char tag = 'g';

std::set<std::string> folded(const std::vector<std::string>& texts) {
    std::set<std::string> keys;
    for (const auto& text : texts) keys.insert(core::fold_key(text));
    keys.erase("");
    return keys;
}

}  // namespace

CountedPost CountedPost::of(const domain::Post& post, bool listed) {
    return {listed, post.published_at, folded(post.tags)};
}

CountedPost CountedPost::read(const db::Row& row, std::size_t first) {
    return {row.boolean(first), row.opt_time(first + 1),
            folded(nlohmann::json::parse(row.text(first + 2)).get<std::vector<std::string>>())};
}

void count(CountChanges& changes, const CountedPost& post, std::int64_t n) {
    if (!post.listed || !post.published_at) return;
    const auto add = [&](const FilterKey& filter) {
        changes.add({filter, all_rows, 0}, n);
        creations.add(changes, filter, time_value(*post.published_at), n);
    };
    add(filter_key({}));
    for (const auto& key : post.tag_keys) add(filter_key({{tag, key}}));
}

std::optional<FilterKey> counted_filter(const PostFilter& filter) {
    if (filter.tags.empty()) return filter_key({});
    const auto keys = folded(filter.tags);
    if (keys.size() > 1) return {};
    return keys.empty() ? FilterKey{} : filter_key({{tag, *keys.begin()}});  // of nothing there is no count
}

}  // namespace tradepost::repo
