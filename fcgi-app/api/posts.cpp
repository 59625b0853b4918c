#include "api/posts.h"

#include "api/list.h"
#include "api/write.h"
#include "http/error.h"
#include "json/fields.h"

namespace tradepost::api {
namespace {

void write(json::Writer& writer, const domain::Post& post, bool detailed) {
    writer.begin_object().member("id", post.id).member("slug", post.slug).name("organisation");
    if (post.organisation)
        write_organisation(writer, *post.organisation);
    else
        writer.null();
    json::write_fields(writer, domain::post_fields(), post, detailed);
    writer.end_object();
}

}  // namespace

http::Response list_posts(Call& call) {
    repo::PostFilter filter;
    filter.search = read_search(call.query);
    filter.tags = texts(call.query, "tag");

    const ListKey key("posts", call.query, {"q", "tag"});
    return list(call, key, call.services.posts, filter, [](json::Writer& writer, const domain::Post& post) { write(writer, post, false); });
}

http::Response get_post(Call& call) {
    auto response = detail_by_version(call, "posts", [&]() -> std::optional<Detail> {
        const auto post = call.services.posts.find(call.parameters[0], call.services.clock.now());
        if (!post) return {};
        json::Writer writer;
        write(writer, *post, true);
        return Detail{writer.take(), {}};
    });
    if (!response) throw http::not_found();
    return std::move(*response);
}

}  // namespace tradepost::api
