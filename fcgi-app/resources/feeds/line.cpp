#include "resources/feeds/line.h"

#include <cstring>

#include "core/crypto.h"
#include "core/text.h"

namespace tradepost::feeds {
namespace {

// As the field's rule says, so that failures name nothing longer.
bool is_reference(const json::Json& value) {
    if (!value.is_string()) return false;
    const auto& text = value.get_ref<const std::string&>();
    const auto length = core::code_points(text);
    return length >= 1 && length <= 64 && text.find('\0') == std::string::npos;
}

}  // namespace

Line read_line(const Lines& lines, std::size_t place) {
    Line line{lines.number(), place, {}, {}, {}};
    if (lines.is_too_long()) {
        line.error = http::body_too_large();
        return line;
    }
    try {
        line.body = json::parse(lines.text());
        if (!line.body.is_object()) throw http::invalid_field("body", "must be an object");
        const auto reference = line.body.find("reference");
        if (reference != line.body.end() && is_reference(*reference)) line.reference = reference->get<std::string>();
    } catch (const http::ApiError& error) {
        line.error = error;
    }
    return line;
}

void check_organisation(const json::Json& body, const core::Uuid& organisation_id) {
    const auto named = body.find("organisationId");
    if (named == body.end() || named->is_null()) return;
    if (!named->is_string()) throw http::invalid_field("organisationId", "must be a string");
    if (core::Uuid::parse(named->get_ref<const std::string&>()) != organisation_id)
        throw http::invalid_field("organisationId", "must be that of the feed");
}

void Keys::add(const Line& line) {
    if (line.reference)
        lines_.emplace(hash(*line.reference), std::uint32_t(line.number));
    else
        has_unknown_ = true;
}

void Keys::check(const Line& line) const {
    if (!line.reference) return;
    const auto first = lines_.find(hash(*line.reference));
    if (first != lines_.end() && first->second != line.number)
        throw http::conflict("reference is that of line " + std::to_string(first->second) + " too");
}

Keys::Hash Keys::hash(const std::string& reference) {
    const auto bytes = core::fast_hash128(reference);
    Hash both;
    std::memcpy(&both.first, bytes.data(), 8);
    std::memcpy(&both.second, bytes.data() + 8, 8);
    return both;
}

}  // namespace tradepost::feeds
