#include "search/engines/boolean_query.h"

#include "search/grammar/tokens.h"

namespace tradepost::search {
namespace {

std::string operand(const Term& term) {
    const auto& word = term.words.at(0);
    if (!term.prefix) return search::token(word);
    const auto tokens = prefix_tokens(word);
    if (tokens.whole.empty()) return tokens.beginning + "*";
    if (tokens.beginning.empty()) return tokens.whole;
    return "(" + tokens.beginning + "* " + tokens.whole + ")";
}

}  // namespace

std::string boolean_query(std::span<const Term> terms) {
    std::string all;
    for (const auto& term : terms) all.append(all.empty() ? "+" : " +").append(operand(term));
    return all;
}

}  // namespace tradepost::search
