#include "resources/posts/rows.h"

#include "fields/json.h"
#include "fields/rows.h"
#include "identity/organisation_columns.h"
#include "identity/organisation_json.h"
#include "lists/id_or_slug.h"

namespace tradepost::posts {

std::string columns(bool detailed) {
    return std::string("t.id, t.slug, ") + identity::organisation_columns + fields::columns(post_fields(), "t.", detailed);
}

Post read(db::Row& row, bool detailed) {
    Post post;
    post.id = row.uuid(0);
    post.slug = row.text(1);
    if (!row.is_null(2)) post.organisation = identity::read_organisation(row, 2);
    fields::read_columns(row, 2 + identity::organisation_width, post_fields(), post, detailed);
    return post;
}

void write(json::Writer& writer, const Post& post, bool detailed) {
    writer.begin_object().member("id", post.id).member("slug", post.slug).name("organisation");
    if (post.organisation)
        identity::write_organisation(writer, *post.organisation);
    else
        writer.null();
    fields::write_fields(writer, post_fields(), post, detailed);
    writer.end_object();
}

std::string render(const Post& post) {
    json::Writer writer;
    write(writer, post, true);
    return writer.take();
}

std::optional<Found> find(db::Connection& connection, std::string_view id_or_slug, core::Time now) {
    const lists::IdOrSlug named(id_or_slug);
    if (!named.is_possible()) return {};
    auto rows = connection.query("SELECT " + columns(true) + ", t.listed FROM posts t" + joins + " WHERE " + named.condition(),
                                 {named.value()});
    if (rows.empty()) return {};
    Found found{read(rows[0], true), rows[0].boolean(rows[0].columns() - 1)};
    found.visible = found.visible && found.item.published_at && *found.item.published_at <= now;
    return found;
}

}  // namespace tradepost::posts
