#include "repo/posts.h"

#include <nlohmann/json.hpp>

#include "repo/listing.h"
#include "repo/post_writer.h"
#include "repo/time_counts.h"

namespace tradepost::repo {
namespace {

const std::string columns = std::string("t.id, t.slug, ") + organisation_columns +
                            ", t.title, t.summary, t.image_url, t.tags, t.author_name, t.published_at, t.created_at, t.updated_at";
const std::string joined = " LEFT JOIN organisations o ON o.id = t.organisation_id";
constexpr const char* next_publication =
    "(SELECT MIN(published_at) FROM posts FORCE INDEX (posts_listed) WHERE listed = 1 AND published_at > ?)";
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

Conditions conditions(const PostFilter& filter, core::Time now) {
    Conditions where;
    where.add("t.listed = 1");
    where.add("t.published_at <= ?", {now});
    where.add_folded("t.id IN (SELECT post_id FROM post_tags WHERE listed = 1 AND tag_key", filter.tags, filter.tags.empty() ? "" : ")");
    return where;
}

// Where the ids of a list come from: an index that is in the list's order but for several tags, whose posts are found by tag and sorted.
struct Source {
    std::string from, id;  // with its conditions
    Conditions where;      // lends their values
};

Source source(const PostFilter& filter, const char* published, core::Time now) {
    Source s{"posts t FORCE INDEX (posts_listed)", "t.id", {}};
    s.where.add("t.listed = 1");
    s.where.add(std::string("t.published_at ") + published + " ?", {now});
    if (!filter.tags.empty()) {
        s.from = "post_tags t FORCE INDEX (post_tags_tag)";
        s.id = "t.post_id";
        s.where.add_folded("t.tag_key", filter.tags);
    }
    s.from += " WHERE " + s.where.sql();
    if (filter.tags.size() > 1) s.from = "(SELECT DISTINCT t.post_id, t.published_at FROM " + s.from + ") t WHERE 1";
    return s;
}

}  // namespace

std::optional<core::Time> Posts::next_change(core::Time now) {
    return connection_.query(std::string("SELECT ") + next_publication, {now}).at(0).opt_time(0);
}

std::optional<Count> Posts::kept_count(const PostFilter& filter, core::Time now) {
    const auto key = counted_filter(filter);
    if (!key) return {};
    const auto sum = sum_of(PostTable::name, std::span(&*key, 1), std::vector<CountRange>{{all_rows, 0, 0}});
    const auto later = source(filter, ">", now);
    std::vector<db::Value> values{PostTable::name};
    values.insert(values.end(), sum.values.begin(), sum.values.end());
    for (const auto& value : later.where.values({now})) values.push_back(value);
    // One statement: all of it is read as of one moment.
    const auto row = connection_
                         .query("SELECT " + std::string(counts_are_complete()) + ", " + sum.sql + ", (SELECT COUNT(*) FROM " + later.from +
                                    "), " + next_publication,
                                values)
                         .at(0);
    if (row.is_null(0)) return {};
    return Count{row.integer(1) - row.integer(2), row.opt_time(3)};
}

Count Posts::count(const PostFilter& filter, core::Time now) {
    if (const auto kept = kept_count(filter, now)) return *kept;
    const auto s = source(filter, "<=", now);
    const auto rows = connection_.query("SELECT COUNT(*) FROM " + s.from, s.where.values());
    return {rows.at(0).integer(0), next_change(now)};
}

// An index does not know how many rows lie before an entry; the counts do. What is published later comes first of what they count.
std::optional<OffsetStart> Posts::start_of(const PostFilter& filter, std::int64_t offset, core::Time now) {
    const auto key = counted_filter(filter);
    if (offset < worth_a_search || !key) return {};
    const auto source_of_later = source(filter, ">", now);
    const auto later = connection_.query("SELECT COUNT(*) FROM " + source_of_later.from, source_of_later.where.values()).at(0).integer(0);
    auto start = find_offset(connection_, PostTable::name, std::span(&*key, 1), creations, {}, later + offset);
    if (start) start->skipped = start->before > now ? 0 : start->skipped - later;
    return start;
}

std::vector<domain::Post> Posts::page(const PostFilter& filter, const Count&, Slice slice, core::Time now) {
    auto s = source(filter, "<=", now);
    std::vector<db::Value> values = s.where.values();
    if (const auto start = start_of(filter, slice.offset, now)) {
        s.from += " AND t.published_at < ?";
        values.emplace_back(start->before);
        slice.offset -= start->skipped;
    }
    values.insert(values.end(), {slice.limit, slice.offset});
    const auto rows = connection_.query("SELECT STRAIGHT_JOIN " + columns + " FROM (SELECT " + s.id + " AS id FROM " + s.from +
                                            " ORDER BY t.published_at DESC, " + s.id + " DESC LIMIT ? OFFSET ?) k JOIN posts t ON t.id = k.id" +
                                            joined + " ORDER BY " + order,
                                        values);
    std::vector<domain::Post> posts;
    for (const auto& row : rows) posts.push_back(read(row));
    return posts;
}

std::pair<std::vector<domain::Post>, Count> Posts::search(const PostFilter& filter, Slice slice, core::Time now) {
    const auto matches = search_.find({"posts", "post_search", "post_id", order}, *filter.search, conditions(filter, now), slice);
    std::vector<domain::Post> posts;
    if (!matches.ids.empty()) {
        const std::vector<db::Value> ids(matches.ids.begin(), matches.ids.end());
        for (const auto& row : connection_.query("SELECT " + columns + " FROM posts t" + joined + " WHERE t.id IN (" + placeholders(ids.size()) + ")", ids))
            posts.push_back(read(row));
        posts = in_order(std::move(posts), matches.ids);
    }
    return {std::move(posts), {matches.total, next_change(now)}};
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
