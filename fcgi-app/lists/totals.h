// The total of a selection: a sum of kept counts, or a COUNT(*) where none are kept.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "lists/selection.h"

namespace tradepost::lists {

// The keys whose counts add up to the selection without its ranges. Empty when these counts are not kept: the rows must be counted.
std::optional<std::vector<counts::Key>> count_keys(const Selection& selection);

// The histogram of the selection's rows by what orders them; empty when none is kept.
std::optional<counts::Histogram> order_histogram(const Selection& selection);

// Columns of a SELECT from which the total is read. They are one statement, so all see the same moment. Borrows the selection.
class TotalColumns {
public:
    TotalColumns(const Selection& selection, core::Time now);
    TotalColumns(const TotalColumns&) = delete;
    TotalColumns& operator=(const TotalColumns&) = delete;

    const db::Sql& sql() const { return sql_; }
    std::size_t width() const { return (kept_ || needs_derived_ ? 2 : 1) + (hidden_ ? (kept_ ? 2 : 1) : 0); }
    // The total from a row in which they begin at column `first`. Empty when the kept counts are not complete: the rows must be counted.
    // Throws as require_derived().
    std::optional<Total> read(const db::Row& row, std::size_t first) const;

private:
    bool kept_ = false, needs_derived_, hidden_;
    std::vector<counts::Key> keys_;
    db::Sql sql_;
};

// Throws 503 when the selection needs a column that `recount` has not filled in since an upgrade. At most one round trip.
void require_derived(db::Connection& connection, const Selection& selection);

// Throws as require_derived(). One round trip where the total is kept; else the rows are counted, in a second one if the counts turn out not to be complete.
Total total_of(db::Connection& connection, const Selection& selection, core::Time now);

// The same of several, in one round trip where all are kept. Borrows them.
std::vector<Total> totals_of(db::Connection& connection, std::span<const Selection> selections, core::Time now);

}  // namespace tradepost::lists
