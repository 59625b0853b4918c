// Readable names in addresses.
#pragma once
#include <string>
#include <string_view>

namespace tradepost::domain {

// `text` as a slug: folded, ASCII letters and digits in groups joined by single hyphens, at most 100 characters; `fallback` when
// nothing of it is left. Never shaped like a UUID, which details take for an id.
std::string slugify(std::string_view text, std::string_view fallback);

// 1–120 characters of lower-case ASCII letters, digits and inner hyphens, and no UUID.
bool is_slug(std::string_view text);

// The nth candidate for a name that others have: "sales-advisor", "sales-advisor-2", …
std::string numbered_slug(const std::string& slug, int n);

}  // namespace tradepost::domain
