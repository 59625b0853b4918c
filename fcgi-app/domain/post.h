// Posts: news and articles, of an organisation or of the marketplace itself.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/uuid.h"
#include "domain/field.h"
#include "domain/organisation.h"

namespace tradepost::domain {

struct Post {
    core::Uuid id;
    std::string slug;
    std::optional<OrganisationSummary> organisation;
    std::string title;
    std::optional<std::string> summary, body, image_url;
    std::vector<std::string> tags;
    std::optional<std::string> author_name;
    std::optional<core::Time> published_at;
    core::Time created_at, updated_at;
};

std::span<const Field<Post>> post_fields();

}  // namespace tradepost::domain
