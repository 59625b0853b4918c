// The kept counts: numbers of rows in the table list_counts, which writers update together with the rows, so that readers need not count.
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
#include "db/sql.h"
#include "lists/facet_values.h"

namespace tradepost::lists {

// A value that the counted rows have. `field` is the letter of the filter or the scope (Filter::count, List::scope_count).
struct Term {
    char field;
    std::string_view value;
};

// The key of the rows that have all of these values. Their order matters: the scope's value, then those of the filters in the list's
// order. Without any: all rows of the list.
using FilterKey = std::array<char, 16>;
FilterKey filter_key(std::span<const Term> terms);
inline FilterKey filter_key(std::initializer_list<Term> terms) {
    return filter_key(std::span(terms.begin(), terms.size()));
}

inline constexpr std::uint8_t all_rows = 0;  // the measure of the number of rows, without a histogram

// Names one kept count: of the rows with a key, those in one bucket of a measure.
struct CountCell {
    FilterKey filter;
    std::uint8_t measure = all_rows;
    std::uint64_t bucket = 0;
    auto operator<=>(const CountCell&) const = default;
};

// The changes of one transaction to the counts of a table, whose name is `list`.
class CountChanges {
public:
    explicit CountChanges(std::string_view list) : list_(list) {}

    void add(const CountCell& cell, std::int64_t n) { changes_[cell] += n; }

    // A text whose id is a bucket of a facet, or may be one of a row that is written.
    void add_value(std::string_view text) { values_.try_emplace(facet_id(text), text); }

    // Writes the changes and forgets them, the texts first. To be called last in the transaction, because the rows stay locked until
    // its commit.
    void write(db::Connection& connection);

    // Writes and forgets the changes alone, in the middle of a transaction: the texts wait for write(), since all organisations share them.
    void write_without_texts(db::Connection& connection);

    // For recount(): subtracts the stored counts, as the transaction sees them. The remainder is what the stored counts lack.
    void take_off_known(db::Connection& connection);
    std::size_t wrong() const;  // counts with a remainder other than 0

private:
    struct Hash {
        std::size_t operator()(const CountCell& cell) const noexcept;
    };
    std::string list_;
    FacetValues values_;
    std::unordered_map<CountCell, std::int64_t, Hash> changes_;
};

// Buckets of one measure; both ends are included.
struct CountRange {
    std::uint8_t measure;
    std::uint64_t first, last;
};

// A subquery for the sum of the counts of these keys in `added`, minus those in `taken_off`. Borrows the keys. No measure may be in both.
db::Sql sum_of(std::string_view list, std::span<const FilterKey> filters, std::span<const CountRange> added,
               std::span<const CountRange> taken_off = {});

// The number of the scheme by which counts are kept: a release that counts any list differently raises it (lists/README.md). While the
// database holds another number readers count rows; `recount` counts anew and stores this one.
inline constexpr std::int64_t counting_scheme = 3;

// A subquery for the stored scheme of a table's counts, with one `?` for the table's name; NULL while they are not complete.
std::string_view complete_scheme();

// Stores counting_scheme for the table, inside a transaction. The row stays locked until its end.
void set_counts_complete(db::Connection& connection, std::string_view list);

}  // namespace tradepost::lists
