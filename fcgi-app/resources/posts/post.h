// Posts: news and articles, of an organisation or of the marketplace itself.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/uuid.h"
#include "fields/field.h"
#include "identity/organisation.h"

namespace tradepost::posts {

struct Post {
    core::Uuid id;
    std::string slug;
    std::optional<identity::OrganisationSummary> organisation;
    std::string title;
    std::optional<std::string> summary, body, image_url;
    std::vector<std::string> tags;
    std::optional<std::string> author_name;
    std::optional<core::Time> published_at;
    core::Time created_at, updated_at;
};

std::span<const fields::Field<Post>> post_fields();

// What is wrong with the post as a whole, where members write it: published without a body.
std::optional<fields::Fault> fault_in_writing(const Post& post);

}  // namespace tradepost::posts
