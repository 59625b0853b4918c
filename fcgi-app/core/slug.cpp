#include "core/slug.h"

#include <utf8proc.h>

#include <algorithm>

#include "core/latin.h"
#include "core/text.h"
#include "core/utf8.h"
#include "core/uuid.h"

namespace tradepost::core {
namespace {
bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}
// GET /api/v1/jobs/facets, /digest, /deletions and /feed are other routes than that of a job.
bool is_reserved(std::string_view slug) {
    return slug == "facets" || slug == "digest" || slug == "deletions" || slug == "feed";
}
// Whether a folded text has letters that a slug cannot show.
bool has_foreign_letter(std::string_view folded) {
    for (std::size_t at = 0; at < folded.size();) {
        const char32_t c = next_code_point(folded, at);
        if (c < 0x80) continue;
        const auto category = utf8proc_category(utf8proc_int32_t(c));
        if (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) return true;
    }
    return false;
}
}  // namespace

std::string slugify(std::string_view text, std::string_view kind, std::string_view id) {
    std::string slug;
    auto folded = core::fold(text);
    if (has_foreign_letter(folded)) folded = core::fold(core::latin(text));
    for (const char c : folded) {
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
    if (slug.empty()) slug = std::string(kind).append(id.empty() ? "" : "-").append(id.substr(0, id.find('-')));
    if (core::Uuid::parse(slug) || is_reserved(slug)) slug = std::string(kind) + "-" + slug;
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
