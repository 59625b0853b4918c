#include "search/grammar/words.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/text.h"
#include "core/utf8.h"
#include "search/grammar/query.h"

namespace tradepost::search {
namespace {

enum class Kind { part, letter, mark, ideograph, leading };

// Letters of scripts that put no white space between words: Thai, Lao, Burmese and Khmer, and the blocks of Han, Hiragana and Katakana that are
// left after folding (half-width kana and radicals have become plain ones). Digits are letters of words as in other scripts. Sorted.
constexpr std::array<std::pair<char32_t, char32_t>, 29> ideographs{{
    {0x0E01, 0x0E2F},    // Thai
    {0x0E46, 0x0E46},    // its repeat mark
    {0x0E81, 0x0EAF},    // Lao
    {0x0EC6, 0x0EC6},    // its repeat mark
    {0x0EDC, 0x0EDF},    // Lao ligatures
    {0x1000, 0x103F},    // Burmese
    {0x1050, 0x108F},    // further languages of that script
    {0x1780, 0x17B3},    // Khmer
    {0x17D7, 0x17DC},    // its repeat mark and further signs
    {0x2E80, 0x2FDF},    // radicals
    {0x3005, 0x3007},    // repeat mark, closing mark, zero
    {0x3021, 0x3029},    // Hangzhou numerals
    {0x3031, 0x3035},    // vertical repeat marks
    {0x3038, 0x303C},    // Hangzhou numerals, repeat mark
    {0x3041, 0x3096},    // Hiragana
    {0x309D, 0x309F},    // its repeat marks
    {0x30A1, 0x30FA},    // Katakana
    {0x30FC, 0x30FF},    // long vowel, repeat marks
    {0x31F0, 0x31FF},    // small Katakana
    {0x3400, 0x4DBF},    // Han, extension A
    {0x4E00, 0x9FFF},    // Han
    {0xA9E0, 0xA9EF},    // Shan and others, in the script of Burmese
    {0xA9FA, 0xA9FE},    // the same
    {0xAA60, 0xAA7F},    // the same
    {0xF900, 0xFAFF},    // Han, the compatibility block's own
    {0x16FF0, 0x16FF1},  // Vietnamese reading marks
    {0x1AFF0, 0x1AFFE},  // Taiwanese kana
    {0x1B000, 0x1B16F},  // historic kana
    {0x20000, 0x3FFFD},  // Han, the other extensions
}};

// Vowels of Thai and Lao are letters by category. Some stand before their consonant, the others behind it.
bool is_leading_vowel(char32_t c) {
    return (c >= 0x0E40 && c <= 0x0E44) || (c >= 0x0EC0 && c <= 0x0EC4);
}
bool is_following_vowel(char32_t c) {
    return c == 0x0E30 || c == 0x0E32 || c == 0x0E45 || c == 0x0EB0 || c == 0x0EB2 || c == 0x0EBD;
}

bool is_ideograph(char32_t c) {
    const auto after = std::upper_bound(ideographs.begin(), ideographs.end(), c,
                                        [](char32_t wanted, const auto& block) { return wanted < block.first; });
    return after != ideographs.begin() && c <= std::prev(after)->second;
}

Kind kind(char32_t c) {
    if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? Kind::letter : Kind::part;
    // Letters by category, but typed for an apostrophe (Hawaiian, Ukrainian, Arabic in Latin script): they part words as ' does.
    if (c >= 0x02B9 && c <= 0x02BF) return Kind::part;
    if (is_leading_vowel(c)) return Kind::leading;
    if (is_following_vowel(c)) return Kind::mark;
    switch (utf8proc_category(utf8proc_int32_t(c))) {
        case UTF8PROC_CATEGORY_LU:
        case UTF8PROC_CATEGORY_LL:
        case UTF8PROC_CATEGORY_LT:
        case UTF8PROC_CATEGORY_LM:
        case UTF8PROC_CATEGORY_LO:
        case UTF8PROC_CATEGORY_ND:
        case UTF8PROC_CATEGORY_NL:
        case UTF8PROC_CATEGORY_NO:
            return is_ideograph(c) ? Kind::ideograph : Kind::letter;
        case UTF8PROC_CATEGORY_MN:
        case UTF8PROC_CATEGORY_MC:
        case UTF8PROC_CATEGORY_ME:
            return Kind::mark;
        default:
            return Kind::part;
    }
}

}  // namespace

std::vector<Word> split_words(std::string_view folded) {
    std::vector<Word> found;
    Kind previous = Kind::part;  // of what the last word of `found` can go on from
    for (std::size_t at = 0; at < folded.size();) {
        const std::size_t begin = at;
        const Kind now = kind(core::next_code_point(folded, at));
        const std::string_view character = folded.substr(begin, at - begin);
        switch (now) {
            case Kind::part:
                previous = Kind::part;
                break;
            case Kind::mark:  // belongs to the letter before it; without one it is no word
                if (previous != Kind::part) found.back().text += character;
                break;
            case Kind::letter:
                if (previous == Kind::letter) {
                    found.back().text += character;
                } else {
                    found.push_back({std::string(character), false, false});
                    previous = Kind::letter;
                }
                break;
            case Kind::leading:
            case Kind::ideograph:
                if (now == Kind::ideograph && previous == Kind::leading)
                    found.back().text += character;
                else
                    found.push_back({std::string(character), true, previous == Kind::ideograph || previous == Kind::leading});
                previous = now;
                break;
        }
    }
    return found;
}

bool ends_with_word(std::string_view folded) {
    // Marks behind the last letter belong to it.
    while (!folded.empty()) {
        std::size_t begin = folded.size() - 1;
        while (begin > 0 && (folded[begin] & 0xC0) == 0x80) --begin;
        std::size_t at = begin;
        const Kind last = kind(core::next_code_point(folded, at));
        if (last != Kind::mark) return last != Kind::part;
        folded = folded.substr(0, begin);
    }
    return false;
}

std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> texts;
    for (Word& word : split_words(core::fold(text))) texts.push_back(std::move(word.text));
    return texts;
}

}  // namespace tradepost::search
