#include "repo/changes.h"

#include "core/crypto.h"
#include "domain/slug.h"
#include "repo/slug_writer.h"

namespace tradepost::repo {

std::string Changes::slug(std::string_view table, std::string_view title, std::string_view kind) {
    const auto base = domain::slugify(title, kind);
    // Many who want the next number at once would take turns at failing.
    if (attempt_ > 2) return base + "-" + core::to_hex(core::random_bytes(4));
    return unique_slug(connection_, table, base);
}

}  // namespace tradepost::repo
