#include "search/engines/sphinx_search.h"

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "search/engines/index_state.h"

namespace tradepost::search {
namespace {

// The server keeps room for all rows up to a page's end. From here on it is first asked whether there are so many.
constexpr std::int64_t worth_a_count = 10'000;

constexpr std::chrono::milliseconds pause{50};

}  // namespace

SphinxSearch::SphinxSearch(db::Connection& connection, const core::Config::Search& config, std::vector<SphinxIndex> indexes)
    : connection_(connection),
      server_(config, std::chrono::ceil<std::chrono::seconds>(config.timeout)),
      timeout_(config.timeout),
      indexes_(std::move(indexes)) {}

const SphinxIndex& SphinxSearch::index_of(std::string_view table) const {
    const auto at = std::find_if(indexes_.begin(), indexes_.end(), [&](const auto& each) { return each.table() == table; });
    if (at == indexes_.end()) throw std::logic_error("the search has no index of " + std::string(table));
    return *at;
}

// searchd 2.2 sometimes crashes when documents are replaced while it searches, and is back within a second. Only the first search of an
// outage waits for it: the next ones would keep all workers from other requests.
template <class Ask>
auto SphinxSearch::patiently(Ask&& ask) {
    for (;;) {
        try {
            auto answer = ask();
            away_since_.reset();
            return answer;
        } catch (const db::Unavailable&) {
            const auto now = std::chrono::steady_clock::now();
            if (!away_since_) away_since_ = now;
            if (now >= deadline_ || now - *away_since_ >= timeout_) throw;
        }
        std::this_thread::sleep_for(pause);
    }
}

SphinxSearch::Page SphinxSearch::query(const std::string& index, const SphinxIndex& described, const lists::Selection& selection,
                                       db::Slice slice, core::Time now) {
    const auto order = SphinxIndex::order(selection, now);
    const auto rows = std::to_string(slice.offset + slice.limit);
    // The more often the words occur, the better; an order of weights that are the same in all parts of an index.
    const auto statement = "SELECT id_high, id_low" + order.expressions + " FROM " + index + " WHERE " +
                           described.where(selection, now) + " ORDER BY " + order.by + " LIMIT " + std::to_string(slice.offset) +
                           ", " + std::to_string(slice.limit) + " OPTION ranker = wordcount, max_matches = " + rows;
    return patiently([&] { return ask(statement); });
}

SphinxSearch::Page SphinxSearch::ask(const std::string& statement) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - std::chrono::steady_clock::now());
    if (left.count() <= 0) throw lists::SearchUnavailable("the search took longer than search.timeout_ms");
    Page page{server_.query(statement + ", max_query_time = " + std::to_string(left.count())), -1};
    for (const auto& row : server_.query("SHOW META", db::SphinxQl::Session::same)) {
        if (row.text(0) == "total_found") page.total = row.integer(1);
        // Then the rows may not be all, and the server does not always say so.
        if (row.text(0) == "time" && row.real(1) * 1000 >= double(left.count()))
            throw lists::SearchUnavailable("the search server took " + row.text(1) + " s");
        if (row.text(0) == "warning" || row.text(0) == "error") throw lists::SearchUnavailable(row.text(1));
    }
    if (page.total < 0) throw lists::SearchUnavailable("the search server does not tell how many rows match");
    return page;
}

Built SphinxSearch::built_index(const SphinxIndex& described) {
    const auto built = searched_index(connection_, described);
    if (!built)
        throw lists::SearchUnavailable("the index of " + std::string(described.table()) + " is not built: start tradepost-index");
    return *built;
}

// Asked after the rows: an index that was emptied meanwhile had none, and one of another database has others.
void SphinxSearch::check_trusted(const SphinxIndex& described, const Built& built) {
    if (!patiently([&] { return trusted_state(connection_, server_, described, built); }))
        throw lists::SearchUnavailable("the index of " + std::string(described.table()) +
                                       " is to be built anew by tradepost-index");
}

lists::Matches SphinxSearch::find(const lists::Selection& selection, db::Slice slice, core::Time now) try {
    deadline_ = std::chrono::steady_clock::now() + timeout_;
    const auto& described = index_of(selection.list->table);
    const auto built = built_index(described);
    const auto index = described.name(built.side);
    lists::Matches matches;
    Page page{{}, 0};
    if (slice.offset >= worth_a_count) {
        matches.total = query(index, described, selection, {0, 1}, now).total;
        if (slice.offset < matches.total) page = query(index, described, selection, slice, now);
    } else {
        page = query(index, described, selection, slice, now);
    }
    if (page.total > 0 || slice.offset < worth_a_count) matches.total = page.total;
    for (const auto& row : page.rows) matches.ids.push_back(SphinxIndex::id(row.integer(0), row.integer(1)));
    check_trusted(described, built);
    return matches;
} catch (const db::Error& error) {
    throw lists::SearchUnavailable(error.what());
}

lists::Facets SphinxSearch::facets(const lists::Selection& selection, const lists::Fields& fields, core::Time now) try {
    deadline_ = std::chrono::steady_clock::now() + timeout_;
    const auto& described = index_of(selection.list->table);
    const auto built = built_index(described);
    const auto index = described.name(built.side), where = described.where(selection, now);
    lists::Facets facets{std::vector<std::map<std::string, std::int64_t>>(fields.size()), {}};
    facets.total.rows = query(index, described, selection, {0, 1}, now).total;
    for (std::size_t i = 0; i < fields.size(); ++i)
        add_facet(" FROM " + index + " WHERE " + where + " GROUP BY " + SphinxIndex::facet_attribute(*fields[i]), *fields[i],
                  facets.counts[i]);
    check_trusted(described, built);
    return facets;
} catch (const db::Error& error) {
    throw lists::SearchUnavailable(error.what());
}

// The groups are texts as they are written. The server keeps room for so many; what is more would be missing in the counts.
void SphinxSearch::add_facet(const std::string& grouped_rows, const counts::Facet& field,
                             std::map<std::string, std::int64_t>& counts) {
    constexpr std::int64_t most_groups = 10'000;
    const auto most = std::to_string(most_groups);
    const auto statement = "SELECT GROUPBY() AS value, COUNT(*) AS row_count" + grouped_rows +
                           " ORDER BY row_count DESC LIMIT 0, " + most + " OPTION ranker = none, max_matches = " + most;
    const auto page = patiently([&] { return ask(statement); });
    if (page.total > most_groups)
        throw lists::SearchUnavailable(std::string(field.name) + " has more than " + most + " values in one search");
    std::vector<std::uint64_t> ids;
    for (const auto& row : page.rows)
        if (const auto id = row.unsigned_integer(0)) ids.push_back(id);
    texts_.learn(connection_, ids);
    for (const auto& row : page.rows) {
        const auto id = row.unsigned_integer(0);
        if (!id) continue;
        const auto* text = texts_.find(id);
        if (!text) throw lists::SearchUnavailable("values of facets are missing: run tradepostctl recount --totals");
        counts[*text] += row.integer(1);
    }
}

}  // namespace tradepost::search
