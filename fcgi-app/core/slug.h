// Slugs: readable names in URLs.
#pragma once
#include <string>
#include <string_view>

namespace tradepost::core {

// `text` as a slug: folded, in Latin letters if it has others (core::latin()), groups of ASCII letters and digits joined by single hyphens, at
// most 100 characters. When the text has none of these, `kind` and the first part of the UUID `id`: "job-0195f0a0". Never has the form of a
// UUID, which would be read as an id, and never is `facets`, which is another route.
std::string slugify(std::string_view text, std::string_view kind, std::string_view id = {});

// Whether `text` has 1–120 lower-case ASCII letters, digits and inner hyphens, and is neither a UUID nor `facets`.
bool is_slug(std::string_view text);

// The nth candidate for a slug that is taken: "sales-advisor", "sales-advisor-2", …
std::string numbered_slug(const std::string& slug, int n);

}  // namespace tradepost::core
