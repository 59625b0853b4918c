// Search in the instance's database. README.md, "Search by the database", says how the rows are found and what a search may cost.
#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "db/connection.h"
#include "lists/search_engine.h"
#include "search/engines/search_plan.h"
#include "search/engines/word_match.h"

namespace tradepost::search {

// Bounds of searches in public lists. Times are processor time of the database, as plan_search() estimates it.
struct SearchBounds {
    // 60 of these a minute, which one address may send, take a fifth of one processor.
    std::chrono::microseconds most_cost = std::chrono::milliseconds(200);
    // Searches from this cost on run only while `most_at_once` others run at most, and none that was given up.
    std::chrono::microseconds expensive = std::chrono::milliseconds(20);
    std::int64_t most_at_once = 4;
};

// Borrows the connection, which nothing else should use: a search that takes too long may cost it.
class MysqlSearch final : public lists::SearchEngine {
public:
    MysqlSearch(db::Connection& connection, std::chrono::milliseconds timeout, const SearchBounds& bounds = {})
        : connection_(connection), timeout_(timeout), bounds_(bounds) {}
    lists::Matches find(const lists::Selection& selection, db::Slice slice, core::Time now) override;
    lists::Facets facets(const lists::Selection& selection, const lists::Fields& fields, core::Time now) override;
    bool is_current() const override { return true; }

private:
    struct Sampled {
        std::optional<WordSample> words;
        std::int64_t total = 0;  // of the list
        double indexed = 1;      // rows of the full-text index for each row of the list
        core::Time until = {};
    };

    void check_words(std::string_view table);
    WordMatch match_of(const lists::Selection& selection, std::size_t fields, core::Time now);
    SearchSize size_of(const lists::Selection& selection, core::Time now);
    void require_few_running();
    db::Rows run(const db::Sql& select);

    db::Connection& connection_;
    std::chrono::milliseconds timeout_;
    SearchBounds bounds_;
    std::set<std::string_view> complete_;  // tables whose rows have all their words
    std::map<std::string_view, Sampled> samples_;
};

}  // namespace tradepost::search
