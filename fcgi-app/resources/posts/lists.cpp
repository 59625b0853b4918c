#include "resources/posts/lists.h"

#include "resource/rows.h"
#include "resources/posts/post.h"

namespace tradepost::posts {
namespace {

constexpr lists::ValueTable tags{"post_tags", "t.post_id", "tags"};

constexpr counts::Letter letters[] = {{.letter = 'g', .column = "tags", .kind = counts::Kind::texts}};
constexpr counts::Facet facets[] = {
    {.name = "tag", .measure = 100, .column = "tags", .folded = true, .kind = counts::Kind::texts}};

// clang-format off
constexpr lists::Filter filters[] = {
    {.parameter = "organisationId", .compare = lists::Compare::id,     .column = "organisation_id", .index = {"posts_members", 2}},
    {.parameter = "tag",            .compare = lists::Compare::folded, .column = "tag_key", .index = {"post_tags_tag", 1, true}, .value_table = &tags},
};

// The members' list is of one organisation, whose rows are few.
constexpr lists::Filter member_filters[] = {
    {.parameter = "published", .compare = lists::Compare::present,   .column = "published_at"},
    {.parameter = "tag",       .compare = lists::Compare::folded,    .column = "tag_key", .value_table = &tags},
    {.parameter = "reference", .compare = lists::Compare::reference, .column = "reference", .index = {"posts_reference", 4}},
};
// clang-format on

constexpr lists::Order member_orders[] = {{.name = "updated", .column = "updated_at", .index = "posts_poll"}};

}  // namespace

const lists::List& public_list() {
    static const auto published_later = resource::hidden<Post>("posts_listed");
    static const lists::List list{
        .collection = "posts",
        .table = "posts",
        .scope = lists::listed,
        .order = {.column = "published_at", .index = "posts_listed"},
        .filters = filters,
        .counts = {.letters = letters,
                   .most_letters = 1,
                   .by_order = std::span(&counts::creations, 1),
                   .facets = facets,
                   .most_letters_of_facets = 0},
        .hidden = &published_later,
        .searched = &words,
        .items = resource::items<Post>(),
    };
    return list;
}

const lists::List& member_list() {
    static const lists::List list{
        .collection = "posts",
        .table = "posts",
        .scope = "organisation_id",
        .order = {.column = "published_at", .index = "posts_members", .may_be_null = true},  // of drafts
        .orders = member_orders,
        .filters = member_filters,
        .counts = {.facets = facets},
        .searched = &words,
        .poll = resource::poll<Post>(),
        .items = resource::items<Post>(),
    };
    return list;
}

}  // namespace tradepost::posts
