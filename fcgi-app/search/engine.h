// Lists with `q`: the search's own statements and how they fail.
#pragma once
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "db/connection.h"
#include "db/sql.h"
#include "search/query.h"

namespace tradepost::search {

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

// The table that holds the words of a resource, and the column there that names its row.
struct Searched {
    std::string_view table, id;
};

// An engine that answers `q`: which rows of `where`, over the resource's `table` as `t`, match. The best match comes first; equally good
// ones come in `order`.
class SearchEngine {
public:
    virtual ~SearchEngine() = default;
    // Throws db::Error or SearchUnavailable.
    virtual Matches find(std::string_view table, const Searched& searched, const Query& query, const db::Sql& where,
                         const db::Sql& order, db::Slice slice) = 0;
};

// InnoDB full text on the connection that serves the lists.
class MysqlSearch final : public SearchEngine {
public:
    MysqlSearch(db::Connection& connection, std::chrono::milliseconds timeout) : connection_(connection), timeout_(timeout) {}
    Matches find(std::string_view table, const Searched& searched, const Query& query, const db::Sql& where, const db::Sql& order,
                 db::Slice slice) override;

private:
    db::Connection& connection_;
    std::chrono::milliseconds timeout_;
};

}  // namespace tradepost::search
