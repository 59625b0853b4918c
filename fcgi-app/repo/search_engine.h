// Lists with `q`: the search's own statements and how they fail.
#pragma once
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "db/connection.h"
#include "repo/conditions.h"
#include "repo/listing.h"
#include "search/query.h"

namespace tradepost::repo {

// The ids of one page of matches, best first, and how many there are in all.
struct Matches {
    std::vector<core::Uuid> ids;
    std::int64_t total = 0;
};

// The search did not answer in time, or could not be asked.
struct SearchUnavailable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Runs `work` and returns what it returns; whatever the database fails with becomes SearchUnavailable.
template <class Work>
auto searching(Work&& work) try {
    return work();
} catch (const db::Error& error) {
    throw SearchUnavailable(error.what());
}

// What a kind of resource is searched in: "jobs", "job_search", "job_id", and the list's own order with the table as `t`.
struct Searched {
    std::string_view table, search_table, search_id, order;
};

// An engine that answers `q`: which rows of `where` (over the resource's table as `t`) match, best match first, then in the list's order.
class SearchEngine {
public:
    virtual ~SearchEngine() = default;
    // Throws db::Error or SearchUnavailable.
    virtual Matches find(const Searched& searched, const search::Query& query, const Conditions& where, Slice slice) = 0;
};

// InnoDB full text on the connection that serves the lists.
class MysqlSearch final : public SearchEngine {
public:
    MysqlSearch(db::Connection& connection, std::chrono::milliseconds timeout) : connection_(connection), timeout_(timeout) {}
    Matches find(const Searched& searched, const search::Query& query, const Conditions& where, Slice slice) override;

private:
    db::Connection& connection_;
    std::chrono::milliseconds timeout_;
};

}  // namespace tradepost::repo
