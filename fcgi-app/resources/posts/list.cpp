#include "resources/posts/list.h"

#include "lists/time_counts.h"
#include "resources/posts/rows.h"

namespace tradepost::posts {
namespace {

constexpr lists::ValueTable tags{"post_tags", "t.post_id"};

// clang-format off
constexpr lists::Filter filters[] = {
    {.parameter = "organisationId", .compare = lists::Compare::id, .column = "organisation_id", .index = {"posts_members", 2}},
    {.parameter = "tag", .compare = lists::Compare::folded, .column = "tag_key", .index = {"post_tags_tag", 1, true}, .count = 'g',
     .value_table = &tags, .counted_column = "tags", .facet = 100},
};
// clang-format on

// The members' list is of one organisation, whose rows are few.
std::vector<lists::Filter> member_filters() {
    auto tag = filters[1];
    tag.index = {};
    tag.count = 0;
    return {{.parameter = "published", .compare = lists::Compare::present, .column = "published_at"}, tag};
}

constexpr lists::Hidden published_later{
    .column = "published_at",
    .from_then_on = false,
    .shown = "t.published_at <= ?",
    .hidden = "t.published_at > ?",
    .index = "posts_listed",
    .next = "(SELECT MIN(published_at) FROM posts FORCE INDEX (posts_listed) WHERE listed = 1 AND published_at > ?)",
};

constexpr lists::Searched words{"post_search", "post_id"};

void write_items(json::Writer& writer, db::Rows& rows) {
    for (auto& row : rows) write(writer, read(row, false), false);
}

}  // namespace

const lists::List& public_list() {
    static const lists::List list{
        .name = "posts",
        .collection = "posts",
        .table = "posts",
        .scope = lists::listed,
        .index = "posts_listed",
        .order = "published_at",
        .filters = filters,
        .most_terms = 1,
        .by_order = std::span(&lists::creations, 1),
        .most_terms_of_facets = 0,
        .hidden = &published_later,
        .searched = &words,
        .columns = columns(false),
        .joins = joins,
        .write = write_items,
    };
    return list;
}

const lists::List& member_list() {
    static const auto its_filters = member_filters();
    static const lists::List list{
        .name = "posts of members",
        .collection = "posts",
        .table = "posts",
        .scope = "organisation_id",
        .index = "posts_members",
        .order = "published_at",
        .order_may_be_null = true,  // of drafts
        .filters = its_filters,
        .searched = &words,
        .columns = columns(false),
        .joins = joins,
        .write = write_items,
    };
    return list;
}

const lists::CountedTable& counted_table() {
    static const lists::CountedTable table({&public_list(), &member_list()});
    return table;
}

}  // namespace tradepost::posts
