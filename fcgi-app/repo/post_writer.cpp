#include "repo/post_writer.h"

#include <set>

#include "core/text.h"

namespace tradepost::repo {

std::vector<std::string_view> PostTable::searched(const Resource& post) {
    static const std::string none;
    return {post.title, post.summary ? *post.summary : none, post.body ? *post.body : none};
}

void PostTable::write_more(db::Connection& connection, std::span<const Resource> posts, const std::vector<bool>& listed) {
    std::vector<db::Value> ids;
    for (const auto& post : posts) ids.emplace_back(post.id);
    connection.execute("DELETE FROM post_tags WHERE post_id IN (" + placeholders(ids.size()) + ")", ids);
    BulkInsert rows(connection, "post_tags (post_id, tag_key, listed, published_at)");
    for (std::size_t i = 0; i < posts.size(); ++i) {
        std::set<std::string> keys;
        for (const auto& tag : posts[i].tags) keys.insert(key_literal(tag));
        keys.erase("NULL");
        for (const auto& key : keys)
            rows.add(db::literal(posts[i].id) + ", " + key + (listed[i] ? ", 1, " : ", 0, ") +
                     db::literal(posts[i].published_at));
    }
    rows.flush();
}

}  // namespace tradepost::repo
