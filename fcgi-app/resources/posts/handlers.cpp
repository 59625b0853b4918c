#include "resources/posts/handlers.h"

#include "api/content.h"
#include "resources/posts/list.h"
#include "resources/posts/rows.h"
#include "resources/posts/writer.h"

namespace tradepost::posts {
namespace {

struct Kind {
    using Table = PostTable;
    using Found = posts::Found;
    static constexpr auto public_list = posts::public_list, member_list = posts::member_list;
    static constexpr auto find = posts::find;
    static constexpr auto json = render;

    static std::optional<core::Time> shown_until(const Post&) { return {}; }
    static void read(const json::Json& body, Post& post, fields::Reading reading) {
        api::read_content(body, post_fields(), post, reading, fault_in_writing);
    }
    static void check_new(writes::WriteTransaction&, const Post&) {}
    static void check_change(writes::WriteTransaction&, const Post&, const Post&) {}
    static void settle(Post&, core::Time) {}
    static void write(writes::WriteTransaction& transaction, const writes::OwnOrganisation& owner, const Post& post) {
        PostWriter writer(transaction);
        writer.know(owner.summary, owner.published);
        writer.write(std::span(&post, 1));
    }
    static void remove(writes::WriteTransaction& transaction, const Post& post, core::Time) {
        PostWriter(transaction).remove(post.id);
    }
};

}  // namespace

http::Response list_posts(api::Call& call) {
    return api::list_content<Kind>(call);
}

http::Response get_post_facets(api::Call& call) {
    return api::content_facets<Kind>(call);
}

http::Response get_post(api::Call& call) {
    return api::get_content<Kind>(call);
}

http::Response create_post(api::Call& call) {
    return api::create_content<Kind>(call);
}

http::Response change_post(api::Call& call) {
    return api::change_content<Kind>(call);
}

http::Response delete_post(api::Call& call) {
    return api::delete_content<Kind>(call);
}

}  // namespace tradepost::posts
