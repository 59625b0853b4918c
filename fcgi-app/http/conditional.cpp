#include "http/conditional.h"

#include "core/crypto.h"
#include "core/text.h"
#include "http/error.h"

namespace tradepost::http {
namespace {

// Whether a field value (a list of tags, or `*`) matches the representation with this tag.
bool matches(std::string_view field, std::string_view tag) {
    if (tag.empty()) return false;
    return core::trim(field) == "*" || find_tag(field, [tag](std::string_view named) { return named == tag; });
}

}  // namespace

std::string entity_tag(std::string_view body) {
    return '"' + core::to_hex(core::fast_hash128(body)) + '"';
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

Preconditions evaluate(const Request& request, std::string_view tag) {
    if (const auto field = request.header("if-match"); field && !matches(*field, tag)) return Preconditions::failed;
    const auto field = request.header("if-none-match");
    if (!field || !matches(*field, tag)) return Preconditions::met;
    return request.method == "GET" || request.method == "HEAD" ? Preconditions::not_modified : Preconditions::failed;
}

void check_preconditions(const Request& request, std::string_view tag) {
    if (evaluate(request, tag) != Preconditions::met) throw precondition_failed();
}

}  // namespace tradepost::http
