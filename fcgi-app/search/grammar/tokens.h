// What is searched, as search engines get it: each word is one token of lower-case letters and digits of ASCII, so that an engine's
// character set, stop words, and shortest and longest word have no say. Both engines index the same tokens.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tradepost::search {

// The number of this encoding and of what is searched of each row. Raise it with each change of either: the search answers 503 until
// `tradepostctl reindex` has written the words of all rows anew.
inline constexpr std::int64_t words_scheme = 2;

// A prefix of more letters finds no longer words.
inline constexpr std::size_t longest_prefix = 64;

// The token of a word, which core::fold() has folded.
std::string token(std::string_view word);

// The words that begin with some letters have a token that begins with `beginning`, or have the token `whole` as well. Either may be
// empty, but not both.
struct PrefixTokens {
    std::string beginning, whole;
};
PrefixTokens prefix_tokens(std::string_view letters);

// The tokens of a row, with a space before and behind each. `texts` are given in order of weight: the first one, the title, is
// there `title_weight` times. No phrase crosses from one text to the next. `codes` are references, registrations and the like,
// which are also found by any beginning, with and without the characters between their letters and digits.
inline constexpr int title_weight = 3;
std::string index_tokens(std::span<const std::string_view> texts, std::span<const std::string_view> codes = {});

}  // namespace tradepost::search
