// Maps rows and selections to kept counts: the counts that a row belongs to, and the counts whose sum is a selection's total. Both are
// derived from the list's description.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lists/list_counts.h"
#include "lists/selection.h"

namespace tradepost::lists {

// The value of one counted column: its text (where a filter has a value table: several texts, as they are written), or its number; a time is a number of
// milliseconds since 1970. Without either the column is NULL.
struct Cell {
    std::vector<std::string> texts = {};
    std::optional<std::int64_t> number = {};
};

// The columns that determine which counts a row belongs to.
using CountedRow = std::vector<Cell>;

// All lists of a table. Borrows their descriptions.
class CountedTable {
public:
    explicit CountedTable(std::vector<const List*> lists);

    std::string_view name() const { return lists_[0]->table; }
    std::span<const List* const> lists() const { return lists_; }

    // The counted columns, for a SELECT; read() takes their values from a row of its result, where the first has the index `first`.
    const std::string& columns() const { return names_; }
    CountedRow read(const db::Row& row, std::size_t first) const;

    // The counted columns of a row that is about to be written; `value` returns the value of a column.
    CountedRow of(const std::function<Cell(std::string_view column)>& value) const;

    // The value of the column `listed`. Throws std::logic_error for a table without that column.
    bool is_listed(const CountedRow& row) const { return row.at(place(listed)).number == 1; }
    void set_listed(CountedRow& row, bool is_listed) const { row.at(place(listed)).number = is_listed; }

    // Adds `n` for the row to each count that it belongs to.
    void count(CountChanges& changes, const CountedRow& row, std::int64_t n) const;

private:
    enum class Kind { text, texts, number, time };
    struct Column {
        std::string_view name;
        Kind kind;
    };
    static Kind kind_of(const Filter& filter);
    void add(std::string_view name, Kind kind);
    std::size_t place(std::string_view column) const;
    const Cell& cell(const CountedRow& row, std::string_view column) const { return row.at(place(column)); }
    void count(CountChanges& changes, const List& list, const CountedRow& row, std::int64_t n) const;

    std::vector<const List*> lists_;
    std::vector<Column> columns_;
    std::string names_;
};

// A time as counts hold it: milliseconds since 1970, and 0 for an earlier time.
inline std::uint64_t counted_time(core::Time time) {
    return std::uint64_t(std::max<std::int64_t>(0, time.time_since_epoch().count()));
}

// The keys whose counts add up to the selection without its ranges. Empty when these counts are not kept: the rows must be counted.
std::optional<std::vector<FilterKey>> count_keys(const Selection& selection);

// The histogram of the selection's rows by what orders them; null when none is kept.
const Histogram* order_histogram(const Selection& selection);

// A subquery for the sum of the kept counts: the number of selected rows, hidden ones included. Borrows `keys`, the result of
// count_keys().
db::Sql kept_sum(const Selection& selection, std::span<const FilterKey> keys);

}  // namespace tradepost::lists
