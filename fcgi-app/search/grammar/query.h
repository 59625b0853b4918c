// The grammar of `q` (API rules, "Search") as a tree that any search engine's backend can render.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tradepost::search {

// One requirement: words in a row, or a prefix. `words` are folded (core::fold) and never empty.
struct Term {
    std::vector<std::string> words;  // one: a word; several: a phrase
    bool prefix = false;             // only with one word

    bool operator==(const Term&) const = default;
};

// A document matches when it holds every term of `required` and, for no group of `excluded`, all of the group's terms.
struct Query {
    std::vector<Term> required;               // never empty
    std::vector<std::vector<Term>> excluded;  // -word, -"phrase"; -state-of-the-art is one group of four
};

// Words, phrases and prefixes of a query, excluded ones included and each counted once.
inline constexpr std::size_t most_terms = 16;

// Throws SyntaxError for an unbalanced quote, a lone operator, nothing searchable, nothing but exclusions, or more than `most_terms`.
// `q` is valid UTF-8 and not empty.
struct SyntaxError {};
Query parse(std::string_view q);

// The words of a text as search counts them: folded, in order; letters and digits of any script make words, everything
// else parts them; an ideograph or a kana is a word of its own.
std::vector<std::string> words(std::string_view text);

}  // namespace tradepost::search
