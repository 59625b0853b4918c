// The condition, in SQL, that a row's tokens (search/grammar/tokens.h) match a search, and the score of those that do.
#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "db/sql.h"
#include "search/grammar/query.h"

namespace tradepost::search {

// It owns the texts that the values of its SQL borrow.
class WordMatch {
public:
    // `column` holds the tokens. A row is checked for the terms of `required` in this order. With `found_by`, words and prefixes that each
    // match has, the column's full-text index finds the rows that are checked.
    WordMatch(const std::vector<Term>& required, const std::vector<std::vector<Term>>& excluded, const std::string& column,
              const std::vector<Term>& found_by = {});

    bool uses_index() const { return uses_index_; }
    const db::Sql& condition() const { return condition_; }
    // How often the terms occur in a row; the title counts as often as the tokens repeat it.
    const db::Sql& score() const { return score_; }

private:
    std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }
    void contains_all(const std::vector<Term>& terms, const std::string& column);
    void contains(const Term& term, const std::string& in);
    void add_occurrences(const Term& term, const std::string& column);

    bool uses_index_;
    std::deque<std::string> texts_;
    db::Sql condition_, score_;
};

}  // namespace tradepost::search
