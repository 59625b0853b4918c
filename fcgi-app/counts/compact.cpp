#include "counts/compact.h"

#include <string>
#include <vector>

#include "db/bulk_insert.h"
#include "db/statement.h"

namespace tradepost::counts {
namespace {

constexpr int batch = 100;  // counts in one transaction

const std::string cell_columns = "list, filter, measure, bucket";
// Not the row that tells whether a list's counts are complete.
const std::string stored_counts = "list_counts FORCE INDEX (PRIMARY) WHERE measure <> 255";

struct StoredCell {
    std::string list, filter;
    std::int64_t measure;
    std::uint64_t bucket;
    bool operator==(const StoredCell&) const = default;

    static StoredCell read(const db::Row& row) { return {row.text(0), row.text(1), row.integer(2), row.unsigned_integer(3)}; }
    std::vector<std::string> literals() const {
        return {db::literal(list), db::literal(db::Binary{filter}), std::to_string(measure), std::to_string(bucket)};
    }
    std::string condition() const {
        const auto values = literals();
        return "(list = " + values[0] + " AND filter = " + values[1] + " AND measure = " + values[2] +
               " AND bucket = " + values[3];
    }
    // What comes behind it in the order of the primary key.
    std::string behind() const {
        const auto values = literals();
        return " AND (list > " + values[0] + " OR (list = " + values[0] + " AND filter >= " + values[1] + ")) AND (" +
               cell_columns + ") > (" + values[0] + ", " + values[1] + ", " + values[2] + ", " + values[3] + ")";
    }
};

struct Shard {
    StoredCell cell;
    std::int64_t number, n;
};

// Counts with a row too many. Nothing is locked.
std::vector<StoredCell> find(db::Connection& connection, const std::string& behind) {
    std::vector<StoredCell> cells;
    for (const auto& row :
         connection.query("SELECT " + cell_columns + " FROM " + stored_counts + behind + " GROUP BY " + cell_columns +
                              " HAVING COUNT(*) > 1 OR SUM(n = 0) > 0 ORDER BY " + cell_columns + " LIMIT ?",
                          {batch}))
        cells.push_back(StoredCell::read(row));
    return cells;
}

// A row that is locked neither changes nor goes. What is deleted here and added to in another transaction is inserted there anew.
std::uint64_t compact(db::Connection& connection, const std::vector<StoredCell>& cells) {
    std::string any;
    for (const auto& cell : cells) any += (any.empty() ? "" : " OR ") + cell.condition() + ")";
    std::vector<Shard> shards;
    for (const auto& row : connection.query("SELECT " + cell_columns + ", shard, n FROM " + stored_counts + " AND (" + any +
                                            ") ORDER BY " + cell_columns + ", shard FOR UPDATE SKIP LOCKED"))
        shards.push_back({StoredCell::read(row), row.integer(4), row.integer(5)});

    db::BulkInsert kept(connection, "list_counts (" + cell_columns + ", shard, n)", "n = VALUES(n)");
    std::string removed;
    std::uint64_t count = 0;
    for (std::size_t first = 0, end = 0; first < shards.size(); first = end) {
        const auto& cell = shards[first].cell;
        std::int64_t sum = 0;
        for (end = first; end < shards.size() && shards[end].cell == cell; ++end) sum += shards[end].n;
        if (sum != 0 && sum != shards[first].n) {
            std::string row;
            for (const auto& value : cell.literals()) row += value + ", ";
            kept.add(row + std::to_string(shards[first].number) + ", " + std::to_string(sum));
        }
        for (auto i = first + (sum != 0); i < end; ++i, ++count)
            removed +=
                (removed.empty() ? "" : " OR ") + cell.condition() + " AND shard = " + std::to_string(shards[i].number) + ")";
    }
    kept.flush();
    // The order and the LIMIT keep the servers from a scan of a short table.
    if (count > 0)
        connection.execute("DELETE FROM list_counts WHERE " + removed + " ORDER BY " + cell_columns + ", shard LIMIT " +
                           std::to_string(count));
    return count;
}

}  // namespace

std::uint64_t compact(db::Connection& connection) {
    std::uint64_t removed = 0;
    for (std::string behind;;) {
        const auto cells = find(connection, behind);
        if (cells.empty()) return removed;
        removed += db::in_transaction(connection, [&] { return compact(connection, cells); });
        behind = cells.back().behind();
    }
}

}  // namespace tradepost::counts
