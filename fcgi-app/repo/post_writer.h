// Writing posts.
#pragma once
#include "domain/post.h"
#include "repo/content_writer.h"
#include "repo/post_counts.h"

namespace tradepost::repo {

struct PostTable {
    using Resource = domain::Post;
    using Counted = CountedPost;
    static Counted counted(const Resource& post, bool listed) { return CountedPost::of(post, listed); }
    static constexpr std::string_view name = "posts", search = "post_search", search_id = "post_id";
    static constexpr std::string_view derived = "";
    static std::span<const domain::Field<Resource>> fields() { return domain::post_fields(); }
    static bool is_public(const Resource& post) {
        return post.published_at.has_value();
    }  // apart from its organisation and the time
    static std::vector<std::string_view> searched(const Resource& post);
    static void append_derived(std::string&, const Resource&) {}

    // The rows of post_tags.
    static void write_more(db::Connection& connection, std::span<const Resource> posts, const std::vector<bool>& listed);
};

using PostWriter = ContentWriter<PostTable>;

}  // namespace tradepost::repo
