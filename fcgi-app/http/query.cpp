#include "http/query.h"

#include <charconv>

#include "core/hex.h"
#include "core/text.h"
#include "http/error.h"

namespace tradepost::http {
namespace {

std::string decoded_text(std::string_view raw) {
    auto text = percent_decode(raw, true);
    if (!text || text->find('\0') != std::string::npos || !core::is_utf8(*text)) throw invalid_query("not UTF-8 text");
    return std::move(*text);
}

}  // namespace

std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%') {
            if (i + 2 >= text.size()) return {};
            const int high = core::hex_value(text[i + 1]), low = core::hex_value(text[i + 2]);
            if (high < 0 || low < 0) return {};
            out += char(high << 4 | low);
            i += 2;
        } else {
            out += text[i] == '+' && plus_is_space ? ' ' : text[i];
        }
    }
    return out;
}

std::string percent_encode(std::string_view text) {
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string out;
    for (const unsigned char c : text) {
        if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.' || c == '_' ||
            c == '~') {
            out += char(c);
        } else {
            out += '%';
            out += digits[c >> 4];
            out += digits[c & 15];
        }
    }
    return out;
}

Query::Query(std::string_view raw) {
    while (!raw.empty()) {
        const auto end = raw.find('&');
        const auto pair = raw.substr(0, end);
        raw = end == std::string_view::npos ? std::string_view() : raw.substr(end + 1);
        if (pair.empty()) continue;
        const auto equals = pair.find('=');
        pairs_.emplace_back(decoded_text(pair.substr(0, equals)),
                            equals == std::string_view::npos ? std::string() : decoded_text(pair.substr(equals + 1)));
    }
    used_.resize(pairs_.size());
}

bool Query::is(std::size_t pair, std::string_view name) const {
    if (pairs_[pair].first != name) return false;
    used_[pair] = true;
    return true;
}

Query::Pairs Query::used() const {
    Pairs pairs;
    for (std::size_t i = 0; i < pairs_.size(); ++i)
        if (used_[i]) pairs.push_back(pairs_[i]);
    return pairs;
}

std::optional<std::string_view> Query::single(std::string_view name) const {
    std::optional<std::string_view> found;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        if (!is(i, name)) continue;
        if (found) throw invalid_query("repeated: " + std::string(name));
        found = pairs_[i].second;
    }
    return found;
}

std::optional<std::string_view> Query::filter(std::string_view name) const {
    const auto value = single(name);
    return value && value->empty() ? std::nullopt : value;
}

std::vector<std::string_view> Query::filters(std::string_view name) const {
    std::vector<std::string_view> values;
    for (std::size_t i = 0; i < pairs_.size(); ++i)
        if (is(i, name) && !pairs_[i].second.empty()) values.push_back(pairs_[i].second);
    return values;
}

std::optional<std::int64_t> Query::integer(std::string_view name, std::int64_t min, std::int64_t max) const {
    const auto text = single(name);
    if (!text) return {};
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (error != std::errc() || end != text->data() + text->size() || text->front() == '-' || value < min || value > max)
        throw invalid_query("not a number in its range: " + std::string(name));
    return value;
}

}  // namespace tradepost::http
