// The counts of one list's rows, while a transaction writes them.
#pragma once
#include <set>
#include <span>
#include <vector>

#include "db/connection.h"
#include "repo/list_counts.h"
#include "repo/listing.h"

namespace tradepost::repo {

// `Table` names the table, and as Counted what of its rows is counted: see job_writer.h, job_counts.h. Does nothing for a table
// that has no counts but tell which rows there are.
template <class Table>
class RowCounts {
public:
    // Takes off what the rows of `ids` count as now, and locks them. Returns the ids that have a row.
    std::set<core::Uuid> forget(db::Connection& connection, const std::vector<core::Uuid>& ids) {
        const std::vector<db::Value> values(ids.begin(), ids.end());
        std::set<core::Uuid> existing;
        for (const auto& row :
             connection.query("SELECT id" + columns() + " FROM " + std::string(Table::name) +
                                  " FORCE INDEX (PRIMARY) WHERE id IN (" + placeholders(values.size()) + ") FOR UPDATE",
                              values)) {
            existing.insert(row.uuid(0));
            if constexpr (is_counted) count(changes_, Table::Counted::read(row, 1), -1);
        }
        return existing;
    }

    // A row as it is written.
    template <class Resource>
    void add(const Resource& item, bool listed) {
        if constexpr (is_counted) count(changes_, Table::counted(item, listed), +1);
    }

    // See CountChanges::write().
    void write(db::Connection& connection) { changes_.write(connection); }

private:
    static constexpr bool is_counted = requires { typename Table::Counted; };
    static std::string columns() {
        if constexpr (is_counted) return ", " + std::string(Table::Counted::columns);
        return "";
    }
    CountChanges changes_{Table::name};
};

}  // namespace tradepost::repo
