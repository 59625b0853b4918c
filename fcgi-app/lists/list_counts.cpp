#include "lists/list_counts.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/crypto.h"
#include "db/bulk_insert.h"
#include "db/sql.h"
#include "db/statement.h"

namespace tradepost::lists {
namespace {

constexpr std::uint8_t completeness = 255;  // a measure of its own, under a filter that nothing else has

// One a process, so that those of a host seldom meet and a count has few shards.
int shard() {
    constexpr int shards = 16;
    static const int own = static_cast<unsigned char>(core::random_bytes(1)[0]) % shards;
    return own;
}

std::string_view bytes(const FilterKey& key) {
    return {key.data(), key.size()};
}

std::string condition(const CountRange& range) {
    const auto measure = "(measure = " + std::to_string(range.measure);
    if (range.first == range.last) return measure + " AND bucket = " + std::to_string(range.first) + ")";
    return measure + " AND bucket BETWEEN " + std::to_string(range.first) + " AND " + std::to_string(range.last) + ")";
}

}  // namespace

FilterKey filter_key(std::span<const Term> terms) {
    std::string text;
    for (const auto& [field, value] : terms) {
        text += field;
        text += static_cast<char>(value.size());
        text += value;
    }
    FilterKey key;
    std::memcpy(key.data(), core::sha256(text).data(), key.size());
    return key;
}

std::size_t CountChanges::Hash::operator()(const CountCell& cell) const noexcept {
    std::size_t hash = 0;
    std::memcpy(&hash, cell.filter.data(), sizeof hash);
    return hash ^ (cell.bucket * 0x9E3779B97F4A7C15u + cell.measure);
}

void CountChanges::write(db::Connection& connection) {
    write_facet_values(connection, std::exchange(values_, {}));
    write_without_texts(connection);
}

void CountChanges::write_without_texts(db::Connection& connection) {
    std::vector<std::pair<CountCell, std::int64_t>> sorted;
    for (const auto& [cell, n] : changes_)
        if (n != 0) sorted.emplace_back(cell, n);
    changes_.clear();
    // In one order, so that two who write at once wait for each other at most.
    std::sort(sorted.begin(), sorted.end());
    db::BulkInsert rows(connection, "list_counts (list, filter, measure, bucket, shard, n)", "n = n + VALUES(n)");
    const auto list = db::literal(list_) + ", ", last = ", " + std::to_string(shard()) + ", ";
    for (const auto& [cell, n] : sorted)
        rows.add(list + db::literal(db::Binary{bytes(cell.filter)}) + ", " + std::to_string(cell.measure) + ", " +
                 std::to_string(cell.bucket) + last + std::to_string(n));
    rows.flush();
}

void CountChanges::take_off_known(db::Connection& connection) {
    constexpr int page = 20000;
    std::string filter(sizeof(FilterKey), '\0');
    std::int64_t measure = -1, number = 0, part = 0;
    for (;;) {
        const auto rows = connection.query(
            "SELECT filter, measure, bucket, shard, n FROM list_counts WHERE list = ? AND measure <> ? AND (filter, measure, "
            "bucket, shard) > (?, ?, ?, ?) "
            "AND filter >= ? ORDER BY filter, measure, bucket, shard LIMIT ?",
            {list_, std::int64_t(completeness), db::Binary{filter}, measure, number, part, db::Binary{filter}, page});
        for (const auto& row : rows) {
            CountCell cell;
            filter = row.text(0);
            std::memcpy(cell.filter.data(), filter.data(), cell.filter.size());
            measure = row.integer(1), number = row.integer(2), part = row.integer(3);
            cell.measure = std::uint8_t(measure);
            cell.bucket = std::uint64_t(number);
            changes_[cell] -= row.integer(4);
        }
        if (rows.size() < page) return;
    }
}

std::size_t CountChanges::wrong() const {
    return std::size_t(std::count_if(changes_.begin(), changes_.end(), [](const auto& change) { return change.second != 0; }));
}

db::Sql sum_of(std::string_view list, std::span<const FilterKey> filters, std::span<const CountRange> added,
               std::span<const CountRange> taken_off) {
    std::string where, negative;
    for (const auto& range : added) where += (where.empty() ? "" : " OR ") + condition(range);
    for (const auto& range : taken_off) {
        where += " OR " + condition(range);
        negative += (negative.empty() ? "" : ", ") + std::to_string(range.measure);
    }
    std::vector<db::Value> keys;
    for (const auto& key : filters) keys.emplace_back(db::Binary{bytes(key)});
    db::Sql sum("(SELECT CAST(COALESCE(SUM(" +
                    (negative.empty() ? std::string("n") : "IF(measure IN (" + negative + "), -n, n)") +
                    "), 0) AS SIGNED) FROM list_counts FORCE INDEX (PRIMARY) WHERE list = ? AND ",
                {list});
    sum.add_in("filter", std::span<const db::Value>(keys));
    sum.add(" AND (" + where + "))");
    return sum;
}

std::string_view complete_scheme() {
    return "(SELECT n FROM list_counts FORCE INDEX (PRIMARY) WHERE list = ? AND filter = REPEAT('\\0', 16) AND measure = 255 AND "
           "bucket = 0 AND shard = 0)";
}

void set_counts_complete(db::Connection& connection, std::string_view list) {
    connection.execute(
        "INSERT INTO list_counts (list, filter, measure, bucket, shard, n) VALUES (?, ?, ?, 0, 0, ?) ON DUPLICATE KEY UPDATE n = "
        "VALUES(n)",
        {list, db::Binary{std::string_view("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16)}, std::int64_t(completeness),
         counting_scheme});
}

}  // namespace tradepost::lists
