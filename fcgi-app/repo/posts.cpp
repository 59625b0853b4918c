#include "repo/posts.h"

#include <nlohmann/json.hpp>

#include "repo/listing.h"

namespace tradepost::repo {
namespace {

const std::string columns = std::string("t.id, t.slug, ") + organisation_columns +
                            ", t.title, t.summary, t.image_url, t.tags, t.author_name, t.published_at, t.created_at, t.updated_at";
const std::string joined = " LEFT JOIN organisations o ON o.id = t.organisation_id";
constexpr const char* order = "t.published_at DESC, t.id DESC";

domain::Post read(const db::Row& row) {
    domain::Post post;
    std::size_t at = 0;
    post.id = row.uuid(at++);
    post.slug = row.text(at++);
    if (!row.is_null(at)) post.organisation = read_organisation(row, at);
    at += 4;
    post.title = row.text(at++);
    post.summary = row.opt_text(at++);
    post.image_url = row.opt_text(at++);
    post.tags = nlohmann::json::parse(row.text(at++)).get<std::vector<std::string>>();
    post.author_name = row.opt_text(at++);
    post.published_at = row.opt_time(at++);
    post.created_at = row.time(at++);
    post.updated_at = row.time(at++);
    return post;
}

// Where the ids of a list come from. One tag has an index that is in the list's order; several need the post itself, once.
struct Source {
    std::string table, id;
    Conditions where;
};

Source source(const PostFilter& filter, core::Time now) {
    Source s{"posts t FORCE INDEX (posts_listed)", "t.id", {}};
    s.where.add("t.listed = 1");
    s.where.add("t.published_at <= ?", {now});
    if (filter.tags.size() == 1 && !filter.search) {
        s.table = "post_tags t FORCE INDEX (post_tags_tag)";
        s.id = "t.post_id";
        s.where.add_folded("t.tag_key", filter.tags);
    } else if (!filter.tags.empty()) {
        s.where.add_folded("t.id IN (SELECT post_id FROM post_tags WHERE listed = 1 AND tag_key", filter.tags, ")");
    }
    return s;
}

}  // namespace

std::optional<core::Time> Posts::next_publication(core::Time now) {
    return connection_.query("SELECT MIN(published_at) FROM posts FORCE INDEX (posts_listed) WHERE listed = 1 AND published_at > ?", {now})
        .at(0)
        .opt_time(0);
}

Count Posts::count(const PostFilter& filter, core::Time now) {
    const auto s = source(filter, now);
    const auto rows = connection_.query("SELECT COUNT(*) FROM " + s.table + " WHERE " + s.where.sql(), s.where.values());
    return {rows.at(0).integer(0), next_publication(now)};
}

std::vector<domain::Post> Posts::page(const PostFilter& filter, const Count&, Slice slice, core::Time now) {
    const auto s = source(filter, now);
    const auto rows = connection_.query("SELECT STRAIGHT_JOIN " + columns + " FROM (SELECT " + s.id + " AS id FROM " + s.table + " WHERE " + s.where.sql() +
                                            " ORDER BY t.published_at DESC, " + s.id + " DESC LIMIT ? OFFSET ?) k JOIN posts t ON t.id = k.id" + joined +
                                            " ORDER BY " + order,
                                        s.where.values({slice.limit, slice.offset}));
    std::vector<domain::Post> posts;
    for (const auto& row : rows) posts.push_back(read(row));
    return posts;
}

std::pair<std::vector<domain::Post>, Count> Posts::search(const PostFilter& filter, Slice slice, core::Time now) {
    const auto matches = search_.find({"posts", "post_search", "post_id", order}, *filter.search, source(filter, now).where, slice);
    std::vector<domain::Post> posts;
    if (!matches.ids.empty()) {
        const std::vector<db::Value> ids(matches.ids.begin(), matches.ids.end());
        for (const auto& row : connection_.query("SELECT " + columns + " FROM posts t" + joined + " WHERE t.id IN (" + placeholders(ids.size()) + ")", ids))
            posts.push_back(read(row));
        posts = in_order(std::move(posts), matches.ids);
    }
    return {std::move(posts), {matches.total, next_publication(now)}};
}

std::optional<domain::Post> Posts::find(std::string_view id_or_slug, core::Time now) {
    const Identity identity(id_or_slug);
    if (!identity.possible()) return {};
    const auto rows = connection_.query("SELECT " + columns + ", t.body FROM posts t" + joined + " WHERE " + identity.condition() +
                                            " AND t.listed = 1 AND t.published_at <= ?",
                                        {identity.value(), now});
    if (rows.empty()) return {};
    auto post = read(rows[0]);
    post.body = rows[0].opt_text(rows[0].columns() - 1);
    return post;
}

}  // namespace tradepost::repo
