#include "fields/differences.h"

namespace tradepost::fields {
namespace {

std::optional<std::string> find(const TextMap& pairs, const std::string& name) {
    const auto found = pairs.find(name);
    return found == pairs.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::string shown(std::string_view text) {
    std::size_t end = 0;
    for (std::size_t points = 0; end < text.size(); ++end)
        if ((static_cast<unsigned char>(text[end]) & 0xc0) != 0x80 && ++points > shown_of_text) break;
    return std::string(text.substr(0, end)) + (end < text.size() ? "…" : "");
}

namespace detail {

void write_pairs(json::Writer& writer, std::string_view field, const TextMap& before, const TextMap& after) {
    TextMap all = before;
    all.insert(after.begin(), after.end());
    for (const auto& [name, text] : all) {
        const auto was = find(before, name), is = find(after, name);
        if (was == is) continue;
        writer.begin_object().member("field", std::string(field) + "." + name);
        writer.name("before");
        write_shown(writer, was);
        writer.name("after");
        write_shown(writer, is);
        writer.end_object();
    }
}

}  // namespace detail
}  // namespace tradepost::fields
