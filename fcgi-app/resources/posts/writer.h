// Writing posts.
#pragma once
#include "resources/posts/list.h"
#include "resources/posts/post.h"
#include "writes/content_writer.h"

namespace tradepost::posts {

struct PostTable {
    using Resource = Post;
    static constexpr std::string_view name = "posts", search = "post_search", search_id = "post_id";
    static std::span<const fields::Field<Resource>> fields() { return post_fields(); }
    static std::span<const writes::Derived<Resource>> derived() { return {}; }
    static const lists::CountedTable& counted() { return counted_table(); }
    // Apart from its organisation and the time; and the same in SQL.
    static bool is_public(const Resource& post) { return post.published_at.has_value(); }
    static constexpr std::string_view public_sql = "published_at IS NOT NULL";
    static std::vector<std::string_view> searched(const Resource& post);

    // The rows of post_tags.
    static void write_more(db::Connection& connection, std::span<const Resource> posts, const std::vector<bool>& listed);
    // The same after `listed` of these posts was changed.
    static void relist_more(db::Connection& connection, std::span<const db::Value> ids);
};

using PostWriter = writes::ContentWriter<PostTable>;

}  // namespace tradepost::posts

// Compiled once, in writer.cpp.
extern template class tradepost::writes::ContentWriter<tradepost::posts::PostTable>;
