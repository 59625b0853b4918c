#include "core/text.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "core/crypto.h"
#include "core/utf8.h"

namespace tradepost::core {

namespace {

constexpr std::string_view ascii_space = " \t\n\v\f\r";

// Length of the well-formed sequence at `p` (RFC 3629, section 4), 0 when there is none before `end`.
std::size_t sequence(const unsigned char* p, const unsigned char* end) {
    const auto tail = [&](int i) { return (p[i] & 0xC0) == 0x80; };
    const std::size_t left = std::size_t(end - p);
    const unsigned char first = p[0];
    if (first < 0x80) return 1;
    if (first < 0xC2) return 0;
    if (first < 0xE0) return left >= 2 && tail(1) ? 2 : 0;
    if (first < 0xF0) {
        if (left < 3 || !tail(1) || !tail(2)) return 0;
        if (first == 0xE0 && p[1] < 0xA0) return 0;   // overlong
        if (first == 0xED && p[1] >= 0xA0) return 0;  // surrogates
        return 3;
    }
    if (first > 0xF4 || left < 4 || !tail(1) || !tail(2) || !tail(3)) return 0;
    if (first == 0xF0 && p[1] < 0x90) return 0;   // overlong
    if (first == 0xF4 && p[1] >= 0x90) return 0;  // above U+10FFFF
    return 4;
}

bool is_invisible(char32_t c) {
    constexpr char32_t braille_blank = 0x2800, first_annotation = 0xFFF9, last_annotation = 0xFFFB;
    return is_white_space(c) || is_control(c) || is_ignorable(c) || c == braille_blank ||
           (c >= first_annotation && c <= last_annotation);
}

// Whether a byte may belong to a control character.
bool may_control(char c) {
    return (c > 0 && c < ' ') || c == 0x7F || c == '\xC2' || c == '\xE2';
}

// Whether an invisible character changes how the one before it looks: a variation selector, or a tag of a flag.
bool completes(char32_t c) {
    return (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0020 && c <= 0xE007F) || (c >= 0xE0100 && c <= 0xE01EF) ||
           (c >= 0x180B && c <= 0x180D) || c == 0x180F;
}

std::string collapse_white_space(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    bool pending = false;
    for (std::size_t at = 0; at < text.size();) {
        const char32_t c = next_code_point(text, at);
        if (is_white_space(c)) {
            pending = true;
            continue;
        }
        if (pending && !out.empty()) out += ' ';
        pending = false;
        append_code_point(out, c);
    }
    return out;
}

}  // namespace

bool is_utf8(std::string_view text) {
    const auto* p = reinterpret_cast<const unsigned char*>(text.data());
    const auto* end = p + text.size();
    while (p != end) {
        // Most text is ASCII: eight bytes at a time.
        while (end - p >= 8) {
            std::uint64_t block;
            std::memcpy(&block, p, sizeof block);
            if (block & 0x8080808080808080u) break;
            p += 8;
        }
        if (p == end) break;
        const std::size_t length = sequence(p, end);
        if (length == 0) return false;
        p += length;
    }
    return true;
}

std::size_t code_points(std::string_view text) {
    return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string_view trim(std::string_view text) {
    const auto first = text.find_first_not_of(ascii_space);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(ascii_space) - first + 1);
}

std::string nfc(std::string_view text) {
    // Below U+0300, whose first byte is CC, nothing composes.
    if (std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0xCC; }))
        return std::string(text);
    utf8proc_uint8_t* composed = nullptr;
    const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), utf8proc_ssize_t(text.size()),
                                   &composed, utf8proc_option_t(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
    if (size == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
    if (size < 0) return std::string(text);
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(composed, &std::free);
    return {reinterpret_cast<const char*>(composed), std::size_t(size)};
}

std::string_view trim_invisible(std::string_view text) {
    const auto is_plain = [](char c) { return c > ' ' && c <= '~'; };
    if (!text.empty() && is_plain(text.front()) && is_plain(text.back())) return text;
    std::size_t begin = text.size(), end = 0;
    for (std::size_t at = 0; at < text.size();) {
        const auto here = at;
        const char32_t c = next_code_point(text, at);
        if (is_invisible(c) && (end == 0 || end != here || !completes(c))) continue;
        if (end == 0) begin = here;
        end = at;
    }
    return end == 0 ? std::string_view() : text.substr(begin, end - begin);
}

std::string many_lines(std::string_view text) {
    auto composed = nfc(text);
    const auto trimmed = trim_invisible(composed);
    return trimmed.size() == composed.size() ? composed : std::string(trimmed);
}

std::string one_line(std::string_view sent) {
    auto text = many_lines(sent);
    if (std::none_of(text.begin(), text.end(), may_control)) return text;
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const auto begin = at;
        auto end = at;
        bool breaks = false;
        while (at < text.size()) {
            const char32_t c = next_code_point(text, at);
            if (!is_control(c) && !is_white_space(c)) break;
            breaks = breaks || is_control(c);
            end = at;
        }
        out.append(breaks ? " " : std::string_view(text).substr(begin, end - begin));
        if (at > end) out.append(text, end, at - end);
    }
    return out;
}

std::string normal_reference(std::string_view sent) {
    auto normal = one_line(sent);
    return normal.empty() ? std::string(sent) : normal;
}

std::vector<std::string> reference_forms(std::string_view sent) {
    std::vector<std::string> forms{std::string(sent)};
    if (auto normal = normal_reference(sent); normal != sent) forms.push_back(std::move(normal));
    return forms;
}

std::string lower_ascii(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = char(c + ('a' - 'A'));
    return out;
}

std::string fold_key(std::string_view text) {
    const std::string key = collapse_white_space(fold(text));
    return key.empty() ? key : sha256(key).substr(0, 16);
}

namespace {

// Lower-case letters that Unicode does not decompose but that people type without their stroke, hook or ligature. Sorted.
constexpr std::array<std::pair<char32_t, const char*>, 43> spelt_out{{
    {0x00E6, "ae"}, {0x00F0, "d"}, {0x00F8, "o"},  {0x00FE, "th"}, {0x0111, "d"}, {0x0127, "h"}, {0x0131, "i"}, {0x0138, "k"},
    {0x0142, "l"},  {0x014B, "n"}, {0x0153, "oe"}, {0x0167, "t"},  {0x0180, "b"}, {0x0188, "c"}, {0x0192, "f"}, {0x0199, "k"},
    {0x019A, "l"},  {0x01A5, "p"}, {0x01AD, "t"},  {0x01B4, "y"},  {0x01B6, "z"}, {0x01E5, "g"}, {0x0237, "j"}, {0x023C, "c"},
    {0x023F, "s"},  {0x0240, "z"}, {0x0247, "e"},  {0x0249, "j"},  {0x024B, "q"}, {0x024D, "r"}, {0x024F, "y"}, {0x0253, "b"},
    {0x0256, "d"},  {0x0257, "d"}, {0x0260, "g"},  {0x0268, "i"},  {0x0272, "n"}, {0x0289, "u"}, {0x2C61, "l"}, {0x2C65, "a"},
    {0x2C66, "t"},  {0xA741, "k"}, {0xA749, "l"},
}};
static_assert(std::is_sorted(spelt_out.begin(), spelt_out.end()));

const char* spelling(char32_t c) {
    const auto found = std::lower_bound(spelt_out.begin(), spelt_out.end(), c,
                                        [](const auto& entry, char32_t wanted) { return entry.first < wanted; });
    return found != spelt_out.end() && found->first == c ? found->second : nullptr;
}

bool is_accent(char32_t c) {
    return (c >= 0x0300 && c <= 0x036F) || (c >= 0x1AB0 && c <= 0x1AFF) || (c >= 0x1DC0 && c <= 0x1DFF) ||
           (c >= 0x20D0 && c <= 0x20FF) || (c >= 0xFE20 && c <= 0xFE2F);
}

// "Acme™" must be found as acme: these two stay symbols instead of becoming the letters tm and sm.
bool stays_symbol(char32_t c) {
    return c == 0x2122 || c == 0x2120;
}

// Appends what `c` folds to. Case folding may give what decomposes and the other way round, hence again until nothing changes.
void expand(std::string& out, char32_t c) {
    if (c < 0x80) {
        out += char(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
        return;
    }
    if (is_accent(c) || is_ignorable(c)) return;
    if (const char* letters = spelling(c)) {
        out += letters;
        return;
    }
    if (!stays_symbol(c)) {
        // Decomposition first, so that a letter loses its accents before case folding can turn one into a letter (U+0345).
        for (const int step : {int(UTF8PROC_COMPAT), int(UTF8PROC_CASEFOLD)}) {
            std::array<utf8proc_int32_t, 32> parts;
            int boundary = 0;
            const auto count = utf8proc_decompose_char(utf8proc_int32_t(c), parts.data(), utf8proc_ssize_t(parts.size()),
                                                       utf8proc_option_t(UTF8PROC_DECOMPOSE | step), &boundary);
            if (count < 1 || std::size_t(count) > parts.size() || (count == 1 && char32_t(parts[0]) == c)) continue;
            for (utf8proc_ssize_t i = 0; i < count; ++i) expand(out, char32_t(parts[std::size_t(i)]));
            return;
        }
    }
    append_code_point(out, c);
}

}  // namespace

std::string fold(std::string_view text) {
    if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
        return lower_ascii(text);
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) expand(out, next_code_point(text, at));
    // Below U+0590, from the byte D6 on, nothing that is left composes or has an order.
    if (std::none_of(out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) >= 0xD6; })) return out;
    // The marks that stay compare equal in any order, Hangul syllables and voiced kana are one code point again.
    return nfc(out);
}

}  // namespace tradepost::core
