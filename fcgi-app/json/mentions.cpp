#include "json/mentions.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text.h"
#include "json/value.h"

namespace tradepost::json {
namespace {

bool in_address(char c) {
    return (c & 0x80) || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           std::string_view(".-_+").find(c) != std::string_view::npos;
}

bool any_text(const Json& value, const auto& matches) {
    if (value.is_string()) return matches(value.get_ref<const std::string&>());
    return value.is_structured() &&
           std::any_of(value.begin(), value.end(), [&](const auto& each) { return any_text(each, matches); });
}

}  // namespace

Mentions::Mentions(std::set<core::Uuid> ids, std::string_view address) : ids_(std::move(ids)), address_(core::fold(address)) {}

bool Mentions::has_id(std::string_view text) const {
    constexpr std::size_t length = 36;
    for (std::size_t i = 0; i + length <= text.size(); ++i)
        if (text[i + 8] == '-' && text[i + 13] == '-')
            if (const auto id = core::Uuid::parse(text.substr(i, length)); id && ids_.contains(*id)) return true;
    return false;
}

bool Mentions::has_address(std::string_view text) const {
    const auto folded = core::fold(text);
    for (auto at = folded.find(address_); at != std::string::npos; at = folded.find(address_, at + 1)) {
        auto end = at + address_.size();
        if (end < folded.size() && folded[end] == '.') ++end;  // of a sentence
        if ((at == 0 || !in_address(folded[at - 1])) && (end == folded.size() || !in_address(folded[end]))) return true;
    }
    return false;
}

bool Mentions::in_text(std::string_view text) const {
    return has_id(text) || has_address(text);
}

bool Mentions::in_document(std::string_view document) const {
    if (in_text(document)) return true;
    const auto value = Json::parse(document, nullptr, false);
    return !value.is_discarded() && any_text(value, [&](const std::string& text) { return has_address(text); });
}

}  // namespace tradepost::json
