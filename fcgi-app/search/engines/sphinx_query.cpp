#include "search/engines/sphinx_query.h"

#include "search/grammar/tokens.h"

namespace tradepost::search {
namespace {

std::string prefix(const std::string& letters) {
    const auto tokens = prefix_tokens(letters);
    if (tokens.whole.empty()) return tokens.beginning + "*";
    if (tokens.beginning.empty()) return tokens.whole;
    return "(" + tokens.beginning + "* | " + tokens.whole + ")";
}

std::string term(const Term& term) {
    if (term.prefix) return prefix(term.words[0]);
    if (term.words.size() == 1) return search::token(term.words[0]);
    std::string phrase = "\"";
    for (const auto& word : term.words) phrase.append(phrase.size() > 1 ? " " : "").append(search::token(word));
    return phrase + "\"";
}

std::string every(const std::vector<Term>& terms) {
    std::string all;
    for (const auto& each : terms) all.append(all.empty() ? "" : " ").append(term(each));
    return all;
}

}  // namespace

std::string sphinx_query(const Query& query, std::string_view field) {
    auto text = "@" + std::string(field) + " " + every(query.required);
    for (const auto& group : query.excluded) text.append(" !(").append(every(group)).append(")");
    return text;
}

}  // namespace tradepost::search
