#include "core/slug.h"

#include <algorithm>

#include "core/text.h"
#include "core/uuid.h"

namespace tradepost::core {
namespace {
bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}
// GET /api/v1/jobs/facets, /deletions and /feed are other routes than that of a job.
bool is_reserved(std::string_view slug) {
    return slug == "facets" || slug == "deletions" || slug == "feed";
}
}  // namespace

std::string slugify(std::string_view text, std::string_view fallback) {
    std::string slug;
    for (const char c : core::fold(text)) {
        if (c == '\'') continue;  // o'brien → obrien
        if (is_word(c))
            slug += c;
        else if (!slug.empty() && slug.back() != '-')
            slug += '-';
    }
    if (slug.size() > 100) {
        slug.resize(100);
        if (const auto cut = slug.rfind('-'); cut != std::string::npos && cut > 50) slug.resize(cut);
    }
    while (slug.ends_with('-')) slug.pop_back();
    if (slug.empty()) slug = fallback;
    if (core::Uuid::parse(slug) || is_reserved(slug)) slug = std::string(fallback) + "-" + slug;
    return slug;
}

bool is_slug(std::string_view text) {
    return !text.empty() && text.size() <= 120 && text.front() != '-' && text.back() != '-' &&
           std::all_of(text.begin(), text.end(), [](char c) { return is_word(c) || c == '-'; }) && !core::Uuid::parse(text) &&
           !is_reserved(text);
}

std::string numbered_slug(const std::string& slug, int n) {
    return n <= 1 ? slug : slug + "-" + std::to_string(n);
}

}  // namespace tradepost::core
