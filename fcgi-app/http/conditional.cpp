#include "http/conditional.h"

#include "core/crypto.h"
#include "core/text.h"

namespace tradepost::http {

std::string entity_tag(std::string_view body) {
    return '"' + core::to_hex(core::fast_hash128(body)) + '"';
}

bool names_tag(std::string_view field, std::string_view tag) {
    return core::trim(field) == "*" || find_tag(field, [tag](std::string_view named) { return named == tag; });
}

bool find_tag(std::string_view field, const std::function<bool(std::string_view tag)>& fits) {
    field = core::trim(field);
    // Opaque tags may hold commas, so the list is read tag by tag and not split at them.
    while (true) {
        while (field.starts_with(',')) field = core::trim(field.substr(1));  // empty elements are skipped (section 5.6.1.2)
        if (field.starts_with("W/")) field.remove_prefix(2);
        if (!field.starts_with('"')) return false;
        const auto end = field.find('"', 1);
        if (end == std::string_view::npos) return false;
        if (fits(field.substr(0, end + 1))) return true;
        field = core::trim(field.substr(end + 1));
        if (!field.starts_with(',')) return false;
    }
}

}  // namespace tradepost::http
