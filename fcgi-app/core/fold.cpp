#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "core/text.h"
#include "core/utf8.h"

namespace tradepost::core {
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

// The property Default_Ignorable_Code_Point (DerivedCoreProperties.txt), unassigned ones included.
bool is_ignorable(char32_t c) {
    return c == 0x00AD || c == 0x034F || c == 0x061C || c == 0x115F || c == 0x1160 || c == 0x17B4 || c == 0x17B5 ||
           (c >= 0x180B && c <= 0x180F) || (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F) || c == 0x3164 || (c >= 0xFE00 && c <= 0xFE0F) || c == 0xFEFF || c == 0xFFA0 ||
           (c >= 0xFFF0 && c <= 0xFFF8) || (c >= 0x1BCA0 && c <= 0x1BCA3) || (c >= 0x1D173 && c <= 0x1D17A) ||
           (c >= 0xE0000 && c <= 0xE0FFF);
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

// Canonical order and composition (NFC): the marks that stay compare equal in any order, Hangul syllables and voiced kana
// are one code point again.
std::string compose(const std::string& text) {
    utf8proc_uint8_t* composed = nullptr;
    const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), utf8proc_ssize_t(text.size()),
                                   &composed, utf8proc_option_t(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
    if (size < 0) throw std::bad_alloc();
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(composed, &std::free);
    return {reinterpret_cast<const char*>(composed), std::size_t(size)};
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
    return compose(out);
}

}  // namespace tradepost::core
