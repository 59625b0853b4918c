#include "search/engines/word_match.h"

#include <utility>

#include "search/engines/boolean_query.h"
#include "search/grammar/tokens.h"

namespace tradepost::search {
namespace {

std::string tokens_in_row(const Term& term) {
    std::string text;
    for (const auto& word : term.words) text.append(" ").append(search::token(word));
    return text;
}

}  // namespace

WordMatch::WordMatch(const std::vector<Term>& required, const std::vector<std::vector<Term>>& excluded, const std::string& column,
                     const std::vector<Term>& found_by)
    : uses_index_(!found_by.empty()) {
    if (uses_index_) condition_.add("MATCH (" + column + ") AGAINST (? IN BOOLEAN MODE) AND ", {keep(boolean_query(found_by))});
    contains_all(required, column);
    for (const auto& group : excluded) {
        condition_.add(" AND NOT (");
        contains_all(group, column);
        condition_.add(")");
    }
    for (const auto& term : required) add_occurrences(term, column);
}

void WordMatch::contains_all(const std::vector<Term>& terms, const std::string& column) {
    const auto* separator = "";
    for (const auto& term : terms) {
        condition_.add(std::exchange(separator, " AND "));
        contains(term, "INSTR(" + column + ", ?) > 0");
    }
}

void WordMatch::contains(const Term& term, const std::string& in) {
    if (!term.prefix) {
        condition_.add(in, {keep(tokens_in_row(term) + " ")});
        return;
    }
    const auto tokens = prefix_tokens(term.words[0]);
    const auto *separator = "(", *end = ")";
    if (!tokens.beginning.empty()) condition_.add(std::exchange(separator, " OR ") + in, {keep(" " + tokens.beginning)});
    if (!tokens.whole.empty()) condition_.add(separator + in, {keep(" " + tokens.whole + " ")});
    condition_.add(end);
}

// Words that only begin with the term count as well.
void WordMatch::add_occurrences(const Term& term, const std::string& column) {
    auto text = tokens_in_row(term);
    if (term.prefix) {
        const auto tokens = prefix_tokens(term.words[0]);
        text = " " + (tokens.beginning.empty() ? tokens.whole : tokens.beginning);
    }
    const auto size = std::int64_t(text.size());
    score_.add(score_.text.empty() ? "" : " + ")
        .add("(LENGTH(" + column + ") - LENGTH(REPLACE(" + column + ", ?, ''))) DIV ?", {keep(std::move(text)), size});
}

}  // namespace tradepost::search
