// Search in the instance's database: public lists by InnoDB's full text, lists of an owner by reading the words of that owner's rows.
#pragma once
#include <chrono>
#include <set>
#include <string_view>

#include "db/connection.h"
#include "lists/search_engine.h"

namespace tradepost::engines {

// Borrows the connection, which nothing else should use: a search that takes too long may cost it.
class MysqlSearch final : public lists::SearchEngine {
public:
    MysqlSearch(db::Connection& connection, std::chrono::milliseconds timeout) : connection_(connection), timeout_(timeout) {}
    lists::Matches find(const lists::Selection& selection, db::Slice slice, core::Time now) override;
    lists::Facets facets(const lists::Selection& selection, const lists::Fields& fields, core::Time now) override;
    bool is_current() const override { return true; }

private:
    void check_words(std::string_view table);

    db::Connection& connection_;
    std::chrono::milliseconds timeout_;
    std::set<std::string_view> complete_;  // tables whose rows have all their words
};

}  // namespace tradepost::engines
