#include "domain/post.h"

namespace tradepost::domain {

std::span<const Field<Post>> post_fields() {
    static const Field<Post> fields[] = {
        {"title", rules::required_text(150), &Post::title},
        {"summary", rules::text(300), &Post::summary},
        {"body", rules::text(100000), &Post::body, Use::detail},
        {"imageUrl", rules::of(Kind::web_url), &Post::image_url},
        {"tags", {Kind::text_list, Presence::defaulted, 0, 10, {}}, &Post::tags},
        {"authorName", rules::text(120), &Post::author_name},
        {"publishedAt", rules::time(), &Post::published_at, Use::read_only},
        {"createdAt", rules::time(Presence::defaulted), &Post::created_at, Use::read_only},
        {"updatedAt", rules::time(Presence::defaulted), &Post::updated_at, Use::read_only},
    };
    return fields;
}

}  // namespace tradepost::domain
