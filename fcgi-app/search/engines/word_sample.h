// How frequent words are in the rows of a public list, estimated from a sample of them.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "db/connection.h"
#include "lists/list.h"
#include "search/grammar/query.h"

namespace tradepost::search {

class WordSample {
public:
    // `texts` are the tokens (search/grammar/tokens.h) of each row of the sample.
    explicit WordSample(const std::vector<std::string>& texts);

    // The share of the rows that hold a word, 0 to 1. A word that no row of the sample holds has the share of one row.
    double share_of_word(std::string_view word) const;
    // The entries of the full-text index for all words that begin so, per row: it may be greater than 1.
    double entries_of_prefix(std::string_view letters) const;
    // The rows that hold the term are at most this share.
    double share_of(const Term& term) const;

    double bytes() const { return bytes_; }  // of a row's tokens, on average

private:
    std::vector<std::pair<std::string, int>> tokens_;  // sorted, and how many rows of the sample have it
    double rows_, bytes_;
};

// Reads some hundred rows of the list, which lie evenly spread over its order. The cost does not grow with the list. `total` is the list's, which
// is public.
WordSample draw_sample(db::Connection& connection, const lists::List& list, const lists::Total& total, core::Time now);

}  // namespace tradepost::search
