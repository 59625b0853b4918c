#include "resources/posts/post.h"

namespace tradepost::posts {

std::span<const fields::Field<Post>> post_fields() {
    static const fields::Field<Post> fields[] = {
        {"title", fields::rules::required_text(150), &Post::title},
        {"summary", fields::rules::text(300), &Post::summary},
        {"body", fields::rules::text(100000), &Post::body, fields::Use::detail},
        {"imageUrl", fields::rules::of(fields::Kind::web_url), &Post::image_url},
        {"tags", {fields::Kind::text_list, fields::Presence::defaulted, 0, 10, {}}, &Post::tags},
        {"authorName", fields::rules::text(120), &Post::author_name},
        {"publishedAt", fields::rules::time(), &Post::published_at},
        {"createdAt", fields::rules::time(fields::Presence::defaulted), &Post::created_at, fields::Use::read_only},
        {"updatedAt", fields::rules::time(fields::Presence::defaulted), &Post::updated_at, fields::Use::read_only},
    };
    return fields;
}

std::optional<fields::Fault> fault_in_writing(const Post& post) {
    if (post.published_at && (!post.body || post.body->empty())) return fields::Fault{"body", "is required to publish"};
    return {};
}

}  // namespace tradepost::posts
