#include "http/query.h"

#include <algorithm>
#include <charconv>

#include "core/hex.h"
#include "core/text.h"
#include "http/error.h"

namespace tradepost::http {
namespace {

constexpr const char* repeated = "must be given once";

std::optional<std::string> decoded_text(std::string_view raw) {
    auto text = percent_decode(raw, true);
    if (!text || text->find('\0') != std::string::npos || !core::is_utf8(*text)) return {};
    return text;
}

// The name without [] or [12] at its end.
std::string_view without_brackets(std::string_view name) {
    const auto bracket = name.rfind('[');
    if (bracket == std::string_view::npos || bracket == 0 || !name.ends_with(']')) return name;
    const auto index = name.substr(bracket + 1, name.size() - bracket - 2);
    const bool is_number = std::all_of(index.begin(), index.end(), [](char c) { return c >= '0' && c <= '9'; });
    return is_number ? name.substr(0, bracket) : name;
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
        const auto name = decoded_text(pair.substr(0, equals));
        auto value = equals == std::string_view::npos ? std::string() : decoded_text(pair.substr(equals + 1));
        if (!name || !value)
            throw invalid_query(name ? *name : pair.substr(0, equals), "must be UTF-8 text with complete escapes");
        pairs_.emplace_back(without_brackets(*name), std::move(*value));
    }
    used_.resize(pairs_.size());
}

void Query::require_only(std::span<const std::string_view> known) const {
    Faults faults;
    for (std::size_t i = 0; i < pairs_.size() && !faults.is_full(); ++i)
        faults.collect([&] {
            const auto& [name, value] = pairs_[i];
            if (std::find(known.begin(), known.end(), name) == known.end()) throw invalid_query(name, "is unknown");
            if (value.empty()) throw invalid_query(name, "must not be empty");
            const auto is_same = [&n = name](const auto& other) { return other.first == n; };
            if (std::any_of(pairs_.begin(), pairs_.begin() + std::ptrdiff_t(i), is_same)) throw invalid_query(name, repeated);
        });
    faults.finish();
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
        if (found) throw invalid_query(name, repeated);
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
        throw invalid_query(name, "must be an integer from " + std::to_string(min) + " to " + std::to_string(max));
    return value;
}

std::optional<core::Time> Query::time(std::string_view name, const char* reason) const {
    constexpr std::size_t offset = 6;  // +02:00
    const auto given = filter(name);
    if (!given) return {};
    std::string text(*given);
    if (text.size() > offset && text[text.size() - offset] == ' ') text[text.size() - offset] = '+';
    const auto time = core::parse_rfc3339(text);
    if (!time) throw invalid_query(name, reason);
    return time;
}

bool Query::is_second(std::string_view name, std::string_view first, std::string_view second) const {
    const auto value = filter(name).value_or(first);
    if (value != first && value != second)
        throw invalid_query(name, std::string("must be ").append(first).append(" or ").append(second));
    return value == second;
}

}  // namespace tradepost::http
