#include "search/engines/search_plan.h"

#include <algorithm>
#include <utility>

namespace tradepost::search {
namespace {

// Microseconds of MariaDB 10.11, measured with 100,000 rows of 1 KB of tokens.
constexpr double entry_cost = 5;         // an entry of the full-text index
constexpr double found_row_cost = 3;     // a row that it names: the tokens, and the list's row
constexpr double listed_row_cost = 2;    // a row that is read in the list's order
constexpr double matching_row_cost = 1;  // is counted and sorted
constexpr double field_cost = 3;         // the value of one field of a matching row is counted
constexpr double byte_cost = 0.0015;     // of tokens, for each term: to look for it, and once more to count it

// Words in so many entries are all found by the index: reading these costs less than reading rows in vain.
constexpr double few_entries = 2000;

// A term that the index can find, and its entries there per row.
struct Carrier {
    Term term;
    double entries;
};

// Of a phrase its rarest word.
Carrier carrier_of(const Term& term, const WordSample& sample) {
    if (term.prefix) return {term, sample.entries_of_prefix(term.words[0])};
    Carrier rarest{{}, 2};
    for (const auto& word : term.words)
        if (const auto share = sample.share_of_word(word); share < rarest.entries) rarest = {{{word}}, share};
    return rarest;
}

std::vector<Term> rarest_first(const std::vector<Term>& terms, const WordSample& sample) {
    std::vector<std::pair<double, const Term*>> order;
    for (const auto& term : terms) order.emplace_back(sample.share_of(term), &term);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Term> sorted;
    for (const auto& each : order) sorted.push_back(*each.second);
    return sorted;
}

// What it costs to look for the terms in `rows` rows, and to answer with those that match.
double checking_cost(const Query& query, const std::vector<Term>& required, double rows, const WordSample& sample,
                     const SearchSize& size) {
    const double term_cost = byte_cost * sample.bytes();
    double cost = 0;
    for (const auto& term : required) {
        cost += rows * term_cost;
        rows = std::min(rows, sample.share_of(term) * size.listed);
    }
    double of_match = matching_row_cost + field_cost * double(size.fields);
    for (const auto& group : query.excluded) of_match += term_cost * double(group.size());
    if (size.scored) of_match += term_cost * double(required.size());
    return cost + rows * of_match;
}

}  // namespace

SearchPlan plan_search(const Query& query, const WordSample& sample, const SearchSize& size) {
    SearchPlan plan{{}, rarest_first(query.required, sample), {}};
    std::vector<Carrier> carriers;
    for (const auto& term : plan.required) carriers.push_back(carrier_of(term, sample));
    std::stable_sort(carriers.begin(), carriers.end(), [](const auto& a, const auto& b) { return a.entries < b.entries; });

    double entries = carriers[0].entries * size.indexed;
    const double found = std::min(entries, size.indexed);
    plan.found_by = {carriers[0].term};
    for (std::size_t i = 1; i < carriers.size(); ++i) {
        const auto more = carriers[i].entries * size.indexed;
        if (entries + more > few_entries) break;
        entries += more;
        plan.found_by.push_back(carriers[i].term);
    }
    const auto indexed = entries * entry_cost + found * found_row_cost + checking_cost(query, plan.required, found, sample, size);
    const auto listed = size.listed * listed_row_cost + checking_cost(query, plan.required, size.listed, sample, size);
    if (listed < indexed) plan.found_by.clear();
    plan.cost = std::chrono::microseconds(std::int64_t(std::min(listed, indexed)));
    return plan;
}

}  // namespace tradepost::search
