#include "engines/boolean_query.h"

#include <algorithm>
#include <span>

#include "search/tokens.h"

namespace tradepost::engines {
namespace {

using search::Term;

// Error 191 ("Too many words in a FTS phrase") above it.
constexpr std::size_t longest_phrase = 128;

void append_words(std::string& out, std::span<const std::string> words) {
    out += out.empty() ? "+" : " +";
    const bool phrase = words.size() > 1;
    if (phrase) out += '"';
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) out += ' ';
        out += search::token(words[i]);
    }
    if (phrase) out += '"';
}

void append_prefix(std::string& out, const std::string& letters) {
    const auto tokens = search::prefix_tokens(letters);
    out += out.empty() ? "+" : " +";
    if (tokens.whole.empty())
        out += tokens.beginning + "*";
    else if (tokens.beginning.empty())
        out += tokens.whole;
    else
        out += "(" + tokens.beginning + "* " + tokens.whole + ")";
}

// A phrase longer than InnoDB takes becomes overlapping ones. Only a text that repeats itself over more than the overlap can
// hold all of those and not the whole.
void append_term(std::string& out, const Term& term) {
    if (term.prefix) return append_prefix(out, term.words[0]);
    std::span<const std::string> words = term.words;
    for (; words.size() > longest_phrase; words = words.subspan(std::min(longest_phrase / 2, words.size() - longest_phrase)))
        append_words(out, words.first(longest_phrase));
    append_words(out, words);
}

std::string all_of(const std::vector<Term>& terms) {
    std::string out;
    for (const Term& term : terms) append_term(out, term);
    return out;
}

}  // namespace

BooleanQuery boolean_query(const search::Query& query) {
    BooleanQuery result;
    result.required = all_of(query.required);
    for (const std::vector<Term>& group : query.excluded) result.excluded.push_back(all_of(group));
    return result;
}

}  // namespace tradepost::engines
