#include "resources/posts/post.h"

#include <set>

#include "core/text.h"
#include "db/bulk_insert.h"
#include "db/sql.h"
#include "resource/description.h"
#include "resources/posts/lists.h"
#include "search/grammar/tokens.h"
#include "webhooks/webhook.h"

namespace tradepost::posts {
namespace {

const fields::Field<Post> post_fields[] = {
    {"reference", fields::rules::reference(fields::Presence::optional), &Post::reference},
    {"title", fields::rules::required_text(150), &Post::title},
    {"summary", fields::rules::lines(300), &Post::summary},
    {"body", fields::rules::lines(100000), &Post::body, fields::Use::detail},
    {"imageUrl", fields::rules::of(fields::Kind::web_url), &Post::image_url},
    {"tags", {fields::Kind::text_list, fields::Presence::defaulted, 0, 10, {}}, &Post::tags},
    {"authorName", fields::rules::text(120), &Post::author_name},
    {"publishedAt", fields::rules::time(), &Post::published_at},
    {"createdAt", fields::rules::time(fields::Presence::defaulted), &Post::created_at, fields::Use::read_only},
    {"updatedAt", fields::rules::time(fields::Presence::defaulted), &Post::updated_at, fields::Use::read_only},
};

// Members publish nothing without a text.
std::optional<fields::Fault> fault_in_writing(const Post& post) {
    if (post.published_at && (!post.body || post.body->empty())) return fields::Fault{"body", "is required to publish"};
    return {};
}

std::string tokens(const Post& post, std::string_view) {
    std::vector<std::string_view> texts{post.title, core::text_of(post.summary), core::text_of(post.body)};
    texts.insert(texts.end(), post.tags.begin(), post.tags.end());
    return search::index_tokens(texts);
}

// The rows of post_tags.
void write_tags(db::Connection& connection, std::span<const Post> posts, std::span<const Post* const>) {
    std::vector<db::Value> ids;
    for (const auto& post : posts) ids.emplace_back(post.id);
    connection.execute(
        "DELETE t FROM post_tags t FORCE INDEX (PRIMARY) WHERE t.post_id IN (" + db::placeholders(ids.size()) + ")", ids);
    db::BulkInsert rows(connection, "post_tags (post_id, tag_key, listed, published_at)");
    for (const auto& post : posts) {
        std::set<std::string> keys;
        for (const auto& tag : post.tags) keys.insert(core::fold_key(tag));
        keys.erase("");
        for (const auto& key : keys)
            rows.add(db::literal(post.id) + ", " + writes::literal(key) + (post.listed ? ", 1, " : ", 0, ") +
                     db::literal(post.published_at));
    }
    rows.flush();
}

// They repeat `listed` of their posts.
void list_tags(db::Connection& connection, std::span<const db::Value> ids) {
    connection.execute(
        "UPDATE posts t FORCE INDEX (PRIMARY) STRAIGHT_JOIN post_tags g FORCE INDEX (PRIMARY) ON g.post_id = t.id "
        "SET g.listed = t.listed WHERE t.id IN (" +
            db::placeholders(ids.size()) + ")",
        ids);
}

// A feed says what a post is, and its publisher when it is shown.
void keep(Post& post, const Post& before) {
    post.published_at = before.published_at;
}

void withdraw(Post& post) {
    post.published_at.reset();
}

}  // namespace

const resource::Description<Post>& Post::described() {
    static const resource::Description<Post> posts{
        .name = "posts",
        .table = "posts",
        .singular = "post",
        .noun = "post",
        .a_new = "a new post",
        .things = writes::Things::posts,
        .reads = identity::Scope::jobs_read,
        .writes = identity::Scope::jobs_write,
        .fields = post_fields,
        .fault_in_writing = fault_in_writing,
        .visible = {.from = &Post::published_at},
        .is_withdrawn = "published_at IS NULL",
        .owner_index = "posts_poll",
        .reference_index = "posts_reference",
        .poll_index = "posts_poll",
        .public_list = public_list,
        .member_list = member_list,
        .words = {.searched = words, .tokens = tokens},
        .changed = webhooks::post_changed,
        .deleted = webhooks::post_deleted,
        .hooks = {.keep = keep, .withdraw = withdraw, .after_write = write_tags, .after_relist = list_tags},
    };
    return posts;
}

}  // namespace tradepost::posts
