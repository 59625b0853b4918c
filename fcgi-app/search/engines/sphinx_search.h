// Search by a server that speaks SphinxQL.
#pragma once
#include <chrono>
#include <optional>
#include <vector>

#include "db/connection.h"
#include "db/sphinxql.h"
#include "lists/search_engine.h"
#include "search/engines/index_state.h"
#include "search/engines/sphinx_index.h"

namespace tradepost::search {

// The database tells which index is searched. Borrows the connection and the configuration.
class SphinxSearch final : public lists::SearchEngine {
public:
    SphinxSearch(db::Connection& connection, const core::Config::Search& config, std::vector<SphinxIndex> indexes);
    lists::Matches find(const lists::Selection& selection, db::Slice slice, core::Time now) override;
    lists::Facets facets(const lists::Selection& selection, const lists::Fields& fields, core::Time now) override;
    // The indexer follows the writers.
    bool is_current() const override { return false; }

private:
    struct Page {
        db::Rows rows;
        std::int64_t total;
    };
    // Throws SearchUnavailable when the index is not built.
    Built built_index(const SphinxIndex& described);
    void check_trusted(const SphinxIndex& described, const Built& built);
    void add_facet(const std::string& grouped_rows, const counts::Facet& field, std::map<std::string, std::int64_t>& counts);
    // What `ask` returns. Asks again while the server has been away for a moment only.
    template <class Ask>
    auto patiently(Ask&& ask);
    // The rows of a statement that has no OPTION max_query_time yet, and how many there would be without its LIMIT. Throws SearchUnavailable
    // when they are not all.
    Page ask(const std::string& statement);
    Page query(const std::string& index, const SphinxIndex& described, const lists::Selection& selection, db::Slice slice,
               core::Time now);
    const SphinxIndex& index_of(std::string_view table) const;

    db::Connection& connection_;
    db::SphinxQl server_;
    std::chrono::milliseconds timeout_;
    std::chrono::steady_clock::time_point deadline_;  // of the request
    std::optional<std::chrono::steady_clock::time_point> away_since_;
    std::vector<SphinxIndex> indexes_;
    counts::Texts texts_;
};

}  // namespace tradepost::search
