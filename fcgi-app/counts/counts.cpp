#include "counts/counts.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/crypto.h"
#include "db/bulk_insert.h"
#include "db/sql.h"
#include "db/statement.h"

namespace tradepost::counts {
namespace {

constexpr std::uint8_t completeness = 255;  // a measure of its own, under a filter that nothing else has

constexpr int shards = 16, shard_of_feeds = shards;

// One a process, so that those of a host seldom meet and a count has few shards.
int shard() {
    static const int own = static_cast<unsigned char>(core::random_bytes(1)[0]) % shards;
    return own;
}

std::string_view bytes(const Key& key) {
    return {key.data(), key.size()};
}

std::string condition(const Buckets& range) {
    const auto measure = "(measure = " + std::to_string(range.measure);
    if (range.first == range.last) return measure + " AND bucket = " + std::to_string(range.first) + ")";
    return measure + " AND bucket BETWEEN " + std::to_string(range.first) + " AND " + std::to_string(range.last) + ")";
}

}  // namespace

Key key_of(std::span<const Term> terms) {
    std::string text;
    for (const auto& [field, value] : terms) {
        text += field;
        text += static_cast<char>(value.size());
        text += value;
    }
    Key key;
    std::memcpy(key.data(), core::sha256(text).data(), key.size());
    return key;
}

std::size_t Changes::Hash::operator()(const Count& cell) const noexcept {
    std::size_t hash = 0;
    std::memcpy(&hash, cell.key.data(), sizeof hash);
    return hash ^ (cell.bucket * 0x9E3779B97F4A7C15u + cell.measure);
}

Changes::Changes(std::string_view table) : table_(table), shard_(shard()) {}

std::int64_t Changes::pending(const Count& cell) const {
    const auto found = changes_.find(cell);
    return found == changes_.end() ? 0 : found->second;
}

void Changes::use_shard_of_feeds() {
    shard_ = shard_of_feeds;
}

void Changes::write(db::Connection& connection) {
    write_values(connection, std::exchange(values_, {}));
    write_without_texts(connection);
}

void Changes::write_without_texts(db::Connection& connection) {
    std::vector<std::pair<Count, std::int64_t>> sorted;
    for (const auto& [cell, n] : changes_)
        if (n != 0) sorted.emplace_back(cell, n);
    changes_.clear();
    // In one order, so that two who write at once wait for each other at most.
    std::sort(sorted.begin(), sorted.end());
    db::BulkInsert rows(connection, "list_counts (list, filter, measure, bucket, shard, n)", "n = n + VALUES(n)");
    const auto list = db::literal(table_) + ", ", last = ", " + std::to_string(shard_) + ", ";
    for (const auto& [cell, n] : sorted)
        rows.add(list + db::literal(db::Binary{bytes(cell.key)}) + ", " + std::to_string(cell.measure) + ", " +
                 std::to_string(cell.bucket) + last + std::to_string(n));
    rows.flush();
}

void Changes::take_off_known(db::Connection& connection) {
    constexpr int page = 20000;
    std::string filter(sizeof(Key), '\0');
    std::int64_t measure = -1, number = 0, part = 0;
    for (;;) {
        const auto rows = connection.query(
            "SELECT filter, measure, bucket, shard, n FROM list_counts WHERE list = ? AND measure <> ? AND (filter, measure, "
            "bucket, shard) > (?, ?, ?, ?) "
            "AND filter >= ? ORDER BY filter, measure, bucket, shard LIMIT ?",
            {table_, std::int64_t(completeness), db::Binary{filter}, measure, number, part, db::Binary{filter}, page});
        for (const auto& row : rows) {
            Count cell;
            filter = row.text(0);
            std::memcpy(cell.key.data(), filter.data(), cell.key.size());
            measure = row.integer(1), number = row.integer(2), part = row.integer(3);
            cell.measure = std::uint8_t(measure);
            cell.bucket = std::uint64_t(number);
            changes_[cell] -= row.integer(4);
        }
        if (rows.size() < page) return;
    }
}

std::size_t Changes::wrong() const {
    return std::size_t(std::count_if(changes_.begin(), changes_.end(), [](const auto& change) { return change.second != 0; }));
}

db::Sql sum_of(std::string_view table, std::span<const Key> keys, std::span<const Buckets> added,
               std::span<const Buckets> taken_off) {
    std::string where, negative;
    for (const auto& range : added) where += (where.empty() ? "" : " OR ") + condition(range);
    for (const auto& range : taken_off) {
        where += " OR " + condition(range);
        negative += (negative.empty() ? "" : ", ") + std::to_string(range.measure);
    }
    std::vector<db::Value> filters;
    for (const auto& key : keys) filters.emplace_back(db::Binary{bytes(key)});
    db::Sql sum("(SELECT CAST(COALESCE(SUM(" +
                    (negative.empty() ? std::string("n") : "IF(measure IN (" + negative + "), -n, n)") +
                    "), 0) AS SIGNED) FROM list_counts FORCE INDEX (PRIMARY) WHERE list = ? AND ",
                {table});
    sum.add_in("filter", std::span<const db::Value>(filters));
    sum.add(" AND (" + where + "))");
    return sum;
}

std::string_view complete_scheme() {
    return "(SELECT n FROM list_counts FORCE INDEX (PRIMARY) WHERE list = ? AND filter = REPEAT('\\0', 16) AND measure = 255 AND "
           "bucket = 0 AND shard = 0)";
}

void set_counts_complete(db::Connection& connection, std::string_view table) {
    connection.execute(
        "INSERT INTO list_counts (list, filter, measure, bucket, shard, n) VALUES (?, ?, ?, 0, 0, ?) ON DUPLICATE KEY UPDATE n = "
        "VALUES(n)",
        {table, db::Binary{std::string_view("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16)}, std::int64_t(completeness),
         counting_scheme});
}

}  // namespace tradepost::counts
