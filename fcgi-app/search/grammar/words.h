// How a text falls into words: shared by the grammar of `q` and by what is indexed.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tradepost::search {

struct Word {
    std::string text;     // folded, never empty
    bool ideograph;       // one ideograph or kana, or one consonant of a script without spaces with its vowels and marks
    bool joins_previous;  // both are ideographs with nothing between them
};

// The words of a text that core::fold() has folded.
std::vector<Word> split_words(std::string_view folded);

// Whether a folded text ends inside a word, with nothing behind it.
bool ends_with_word(std::string_view folded);

}  // namespace tradepost::search
