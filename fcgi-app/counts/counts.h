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

#include "counts/values.h"
#include "db/connection.h"
#include "db/sql.h"

namespace tradepost::counts {

// A value that the counted rows have. `field` is the letter of its column (Letter, Kept::owner).
struct Term {
    char field;
    std::string_view value;
};

// The key of the rows that have all of these values. Their order matters: the owner's value, then those of Kept::letters in their order.
// Without any: all rows that are everybody's.
using Key = std::array<char, 16>;
Key key_of(std::span<const Term> terms);
inline Key key_of(std::initializer_list<Term> terms) {
    return key_of(std::span(terms.begin(), terms.size()));
}

inline constexpr std::uint8_t all_rows = 0;  // the measure of the number of rows, without a histogram

// Names one kept count: of the rows with a key, those in one bucket of a measure.
struct Count {
    Key key;
    std::uint8_t measure = all_rows;
    std::uint64_t bucket = 0;
    auto operator<=>(const Count&) const = default;
};

// The changes of one transaction to the counts of a table.
class Changes {
public:
    explicit Changes(std::string_view table);

    void add(const Count& cell, std::int64_t n) { changes_[cell] += n; }

    // What is not written yet of this count.
    std::int64_t pending(const Count& cell) const;

    // Writes the changes into the shard of feeds, which nobody else writes: a feed keeps its rows locked for long, and other writers of
    // its organisation do not wait for it.
    void use_shard_of_feeds();

    // A text whose id is a bucket of a facet, or may be one of a row that is written.
    void add_value(std::string_view text) { values_.try_emplace(value_id(text), text); }

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
        std::size_t operator()(const Count& cell) const noexcept;
    };
    std::string table_;
    int shard_;
    Values values_;
    std::unordered_map<Count, std::int64_t, Hash> changes_;
};

// Buckets of one measure; both ends are included.
struct Buckets {
    std::uint8_t measure;
    std::uint64_t first, last;
};

// A subquery for the sum of the counts of these keys in `added`, minus those in `taken_off`. Borrows the keys. No measure may be in both.
db::Sql sum_of(std::string_view table, std::span<const Key> keys, std::span<const Buckets> added,
               std::span<const Buckets> taken_off = {});

// The number of the scheme by which counts are kept: a release that counts any table differently raises it (counts/README.md). While the
// database holds another number readers count rows; `recount` counts anew and stores this one.
inline constexpr std::int64_t counting_scheme = 3;

// A subquery for the stored scheme of a table's counts, with one `?` for the table's name; NULL while they are not complete.
std::string_view complete_scheme();

// Stores counting_scheme for the table, inside a transaction. The row stays locked until its end.
void set_counts_complete(db::Connection& connection, std::string_view table);

}  // namespace tradepost::counts
