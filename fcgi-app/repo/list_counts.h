// How many rows a list's filters find: kept up to date by those who write the rows, so that readers need not count.
#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "db/connection.h"

namespace tradepost::repo {

// One value that a row must have: `field` tells the fields of a list apart.
struct Term {
    char field;
    std::string_view value;
};

// Names a filter: rows that have all of these values, given in one order always. None: every row of the list.
using FilterKey = std::array<char, 16>;
FilterKey filter_key(std::span<const Term> terms);
inline FilterKey filter_key(std::initializer_list<Term> terms) {
    return filter_key(std::span(terms.begin(), terms.size()));
}

inline constexpr std::uint8_t all_rows = 0;  // the measure that is no histogram's

// A number that is kept: of the rows that a filter finds, those in one bucket of a measure.
struct CountCell {
    FilterKey filter;
    std::uint8_t measure = all_rows;
    std::uint64_t bucket = 0;
    auto operator<=>(const CountCell&) const = default;
};

// What one transaction changes in a list's counts.
class CountChanges {
public:
    explicit CountChanges(std::string_view list) : list_(list) {}

    void add(const CountCell& cell, std::int64_t n) { changes_[cell] += n; }

    // Inside the transaction, last: the counts' rows stay locked until its commit. Forgets what it wrote.
    void write(db::Connection& connection);

    // For recount(): takes off what the table holds, as the transaction sees it. What then is left is what the table lacks.
    void take_off_known(db::Connection& connection);
    std::size_t wrong() const;  // cells that are left with something

private:
    struct Hash {
        std::size_t operator()(const CountCell& cell) const noexcept;
    };
    std::string list_;
    std::unordered_map<CountCell, std::int64_t, Hash> changes_;
};

// Cells of one measure from one bucket to another, both included.
struct CountRange {
    std::uint8_t measure;
    std::uint64_t first, last;
};

// SQL for the sum of these filters' cells: a subquery with its values. `added` and `taken_off` are of disjoint measures.
struct CountSum {
    std::string sql;
    std::vector<db::Value> values;  // borrow the filters
};
CountSum sum_of(std::string_view list, std::span<const FilterKey> filters, std::span<const CountRange> added,
                std::span<const CountRange> taken_off = {});

// SQL, a subquery over the list's name: NULL unless its counts are complete.
std::string_view counts_are_complete();

// Says so, inside a transaction, which holds the row locked.
void set_counts_complete(db::Connection& connection, std::string_view list);

}  // namespace tradepost::repo
