#include "resources/posts/writer.h"

#include <set>

#include "core/text.h"
#include "db/sql.h"

namespace tradepost::posts {

std::vector<std::string_view> PostTable::searched(const Resource& post) {
    std::vector<std::string_view> texts{post.title, core::text_of(post.summary), core::text_of(post.body)};
    texts.insert(texts.end(), post.tags.begin(), post.tags.end());
    return texts;
}

void PostTable::write_more(db::Connection& connection, std::span<const Resource> posts, const std::vector<bool>& listed) {
    std::vector<db::Value> ids;
    for (const auto& post : posts) ids.emplace_back(post.id);
    connection.execute("DELETE FROM post_tags WHERE post_id IN (" + db::placeholders(ids.size()) + ")", ids);
    db::BulkInsert rows(connection, "post_tags (post_id, tag_key, listed, published_at)");
    for (std::size_t i = 0; i < posts.size(); ++i) {
        std::set<std::string> keys;
        for (const auto& tag : posts[i].tags) keys.insert(core::fold_key(tag));
        keys.erase("");
        for (const auto& key : keys)
            rows.add(db::literal(posts[i].id) + ", " + writes::literal(key) + (listed[i] ? ", 1, " : ", 0, ") +
                     db::literal(posts[i].published_at));
    }
    rows.flush();
}

void PostTable::relist_more(db::Connection& connection, std::span<const db::Value> ids) {
    connection.execute("UPDATE post_tags g JOIN posts t ON t.id = g.post_id SET g.listed = t.listed WHERE t.id IN (" +
                           db::placeholders(ids.size()) + ")",
                       ids);
}

}  // namespace tradepost::posts

template class tradepost::writes::ContentWriter<tradepost::posts::PostTable>;
