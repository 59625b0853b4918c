#include "search/grammar/query.h"

#include <algorithm>
#include <utility>

#include "core/text.h"
#include "core/utf8.h"
#include "search/grammar/words.h"

namespace tradepost::search {
namespace {

using Terms = std::vector<Term>;

bool only_operators(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c == '-' || c == '*'; });
}

void add(Terms& terms, Term term) {
    if (std::find(terms.begin(), terms.end(), term) == terms.end()) terms.push_back(std::move(term));
}

// The terms of `q`: white space parts them, but not between quotes.
std::vector<std::string_view> split_terms(std::string_view q) {
    std::vector<std::string_view> terms;
    bool quoted = false;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < q.size();) {
        const std::size_t here = at;
        const char32_t c = core::next_code_point(q, at);
        if (c == '"') quoted = !quoted;
        if (quoted || !core::is_white_space(c)) continue;
        if (here > begin) terms.push_back(q.substr(begin, here - begin));
        begin = at;
    }
    if (quoted) throw SyntaxError{};
    if (q.size() > begin) terms.push_back(q.substr(begin));
    return terms;
}

void add_phrase(Terms& terms, std::string_view text) {
    Term phrase{words(text)};
    if (!phrase.words.empty()) add(terms, std::move(phrase));
}

// Words outside quotes. `starred`: a `*` that ends the whole term follows.
void add_words(Terms& terms, std::string_view text, bool starred) {
    const std::string folded = core::fold(text);
    const bool prefix = starred && ends_with_word(folded);
    const std::vector<Word> found = split_words(folded);
    for (std::size_t i = 0; i < found.size();) {
        Term term{{found[i].text}};
        for (++i; i < found.size() && found[i].joins_previous; ++i) term.words.push_back(found[i].text);
        // An ideograph is a whole word already: a run of them finds what goes on behind it without any `*`.
        term.prefix = prefix && i == found.size() && !found.back().ideograph;
        add(terms, std::move(term));
    }
}

// What one term asks for; `text` is without the `-` that excludes.
Terms read_term(std::string_view text) {
    Terms terms;
    bool quoted = false;
    for (bool first = true;; first = false) {
        const std::size_t quote = text.find('"');
        const bool last = quote == std::string_view::npos;
        std::string_view piece = text.substr(0, quote);
        if (quoted) {
            add_phrase(terms, piece);
        } else if (last && !first && !piece.empty() && only_operators(piece)) {
            throw SyntaxError{};  // "a phrase"*
        } else {
            const bool starred = last && piece.ends_with('*');
            if (starred) piece.remove_suffix(1);
            add_words(terms, piece, starred);
        }
        if (last) return terms;
        text.remove_prefix(quote + 1);
        quoted = !quoted;
    }
}

}  // namespace

Query parse(std::string_view q) {
    Query query;
    for (std::string_view text : split_terms(q)) {
        if (only_operators(text)) throw SyntaxError{};
        const bool excludes = text.front() == '-';
        if (excludes) text.remove_prefix(1);
        Terms terms = read_term(text);
        if (!excludes) {
            for (Term& term : terms) add(query.required, std::move(term));
        } else if (terms.empty()) {
            throw SyntaxError{};
        } else if (std::find(query.excluded.begin(), query.excluded.end(), terms) == query.excluded.end()) {
            query.excluded.push_back(std::move(terms));
        }
    }
    auto terms = query.required.size();
    for (const auto& group : query.excluded) terms += group.size();
    if (query.required.empty() || terms > most_terms) throw SyntaxError{};
    return query;
}

}  // namespace tradepost::search
