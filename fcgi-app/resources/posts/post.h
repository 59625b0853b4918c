// Posts: news and articles, of an organisation or of the marketplace itself.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"
#include "resource/item.h"

namespace tradepost::posts {

struct Post {
    core::Uuid id;
    std::string slug;
    std::optional<identity::OrganisationSummary> organisation;
    std::optional<std::string> reference;  // the publisher's own name for it; compared byte by byte
    std::string title;
    std::optional<std::string> summary, body, image_url;
    std::vector<std::string> tags;
    std::optional<std::string> author_name;
    std::optional<core::Time> published_at;
    core::Time created_at, updated_at;
    bool listed = false;

    static const resource::Description<Post>& described();
};

}  // namespace tradepost::posts
