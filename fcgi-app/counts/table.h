// Which counts a row belongs to: derived from what a table's lists keep.
#pragma once
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "counts/histogram.h"

namespace tradepost::counts {

// What a counted column holds: a text, a JSON array of texts, of which core::fold_key() is counted, a number, or a time.
enum class Kind { text, texts, number, time };

// How much is kept under the keys with one value of a letter, beside the number of rows. Each keeps less than the one before.
enum class Detail {
    full,
    few_rows,  // no histogram together with another letter: one value has few rows, which are quickly sorted
    sparse,    // the same; alone two levels of the order's histogram, no range, and no key together with another sparse letter
};

// A column whose values are terms of keys.
struct Letter {
    char letter;  // means one thing in a table
    std::string_view column;
    Kind kind = Kind::text;
    Detail detail = Detail::full;
};

// A number or time column by whose value rows are counted.
struct Range {
    std::string_view column;
    Histogram histogram;
    std::optional<std::uint8_t> rows_with_value = {};  // the measure of these; empty: every row has a value
    std::size_t most_letters = 0;                      // the most values in a key that it is counted under
    bool is_time = false;                              // in milliseconds since 1970
};

// A column whose values are counted one by one.
struct Facet {
    std::string_view name;  // of the filter
    std::uint8_t measure;
    std::string_view column;  // with the texts as they are written
    bool folded = false;      // texts with the same core::fold_key() are one value
    Kind kind = Kind::text;

    // Texts that are compared alike are one value.
    std::string compared(const std::string& text) const;
    // The values of one row: the first of those texts that are compared alike, and none that no filter finds.
    std::vector<std::string> values(std::span<const std::string> texts) const;
    // The same from the column.
    std::vector<std::string> read(const std::string& text) const;
};

// What is kept of the rows of one list: which keys, and which measures of each.
struct Kept {
    char owner = 0;  // the letter of the rows' owner, which all keys begin with; 0: everybody's rows, or nothing is kept
    std::span<const Letter> letters = {};  // their terms stand in this order in keys
    std::size_t most_letters = 0;          // the most of them in one key
    // Of the order's column: for keys without a letter, with one, …; the last one for all longer keys.
    std::span<const Histogram> by_order = {};
    std::span<const Range> ranges = {};
    std::span<const Facet> facets = {};
    std::optional<std::size_t> most_letters_of_facets = {};  // the most letters in a key that counts facets; empty: none does

    // Null where nothing is kept of the column.
    const Range* range(std::string_view column) const;
    // The histogram of the order under keys of so many letters, of which `least` keeps the least; empty if there is none.
    std::optional<Histogram> order(std::size_t letters, Detail least) const;
};

// The value of one counted column: its text or texts, or its number; a time is a number of milliseconds since 1970. Without either the column
// is NULL.
struct Cell {
    std::vector<std::string> texts = {};
    std::optional<std::int64_t> number = {};
};

// The columns that determine which counts a row belongs to.
using Row = std::vector<Cell>;

inline constexpr std::string_view listed = "listed";  // the column that says which rows are everybody's

// All that is counted of a table.
class Table {
public:
    // What is kept of the rows that have an owner in the column `owner`, or of those that are `listed`.
    struct Part {
        std::string_view owner, order;
        const Kept* kept;
        bool is_counted() const {
            return owner == listed || kept->owner;
        }  // without a letter its rows would count as everybody's
    };

    // Borrows what is kept.
    Table(std::string_view name, std::vector<Part> parts);

    std::string_view name() const { return name_; }

    // The counted columns, for a SELECT; read() takes their values from a row of its result, where the first has the index `first`.
    const std::string& columns() const { return names_; }
    Row read(const db::Row& row, std::size_t first) const;

    // The counted columns of a row that is about to be written; `value` returns the value of a column.
    Row of(const std::function<Cell(std::string_view column)>& value) const;

    // The value of the column `listed`. Throws std::logic_error for a table without that column.
    bool is_listed(const Row& row) const { return row.at(place(listed)).number == 1; }
    void set_listed(Row& row, bool is_listed) const { row.at(place(listed)).number = is_listed; }

    // Adds `n` for the row to each count that it belongs to.
    void count(Changes& changes, const Row& row, std::int64_t n) const;

private:
    struct Column {
        std::string_view name;
        Kind kind;
    };
    void add(std::string_view name, Kind kind);
    std::size_t place(std::string_view column) const;
    const Cell& cell(const Row& row, std::string_view column) const { return row.at(place(column)); }
    void count(Changes& changes, const Part& part, const Row& row, std::int64_t n) const;

    std::string_view name_;
    std::vector<Part> parts_;
    std::vector<Column> columns_;
    std::string names_;
};

using Progress = std::function<void(std::size_t)>;

// Compares the counts of a table with its rows in one snapshot and adds the differences, so that writers may go on meanwhile. Stores
// counting_scheme, which makes the counts complete. `progress` gets the number of rows read so far. Returns how many counts were wrong.
// Takes minutes on a large table, in one transaction that changes counts at its end only.
std::size_t recount(db::Connection& connection, const Table& table, const Progress& progress = {});

// The stored scheme of a table's counts; empty while they are not complete. Readers use the counts when it is counting_scheme.
std::optional<std::int64_t> scheme_of(db::Connection& connection, const Table& table);

}  // namespace tradepost::counts
