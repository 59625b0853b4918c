#include "resource/feed/lines.h"

#include <algorithm>
#include <cstring>

#include "core/crypto.h"
#include "core/text.h"

namespace tradepost::feeds {

namespace {

// As the field's rule says, so that failures name nothing longer.
bool is_reference(const json::Json& value) {
    if (!value.is_string()) return false;
    const auto text = core::normal_reference(value.get_ref<const std::string&>());
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
    const auto bytes = core::fast_hash128(core::normal_reference(reference));
    Hash both;
    std::memcpy(&both.first, bytes.data(), 8);
    std::memcpy(&both.second, bytes.data() + 8, 8);
    return both;
}

namespace {

constexpr std::size_t piece = 64 << 10;

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

bool Lines::next() {
    while (read_line())
        if (is_too_long_ || !is_blank(text_)) return true;
    return false;
}

void Lines::rewind() {
    buffer_.clear();
    used_ = 0;
    offset_ = 0;
    number_ = 0;
}

bool Lines::read_line() {
    text_.clear();
    is_too_long_ = false;
    for (bool any = false;; any = true) {
        if (used_ == buffer_.size()) {
            buffer_.resize(piece);
            buffer_.resize(source_(offset_, buffer_.data(), piece));
            offset_ += buffer_.size();
            used_ = 0;
        }
        if (buffer_.empty()) {
            number_ += any;
            return any;
        }
        const auto end = buffer_.find('\n', used_);
        add(std::string_view(buffer_).substr(used_, end == std::string::npos ? end : end - used_));
        used_ = end == std::string::npos ? buffer_.size() : end + 1;
        if (end == std::string::npos) continue;
        ++number_;
        return true;
    }
}

void Lines::add(std::string_view piece_of_line) {
    const auto room = longest_line - text_.size();
    is_too_long_ = is_too_long_ || piece_of_line.size() > room;
    text_ += piece_of_line.substr(0, room);
}

}  // namespace tradepost::feeds
