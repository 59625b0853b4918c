// The description of a list. The engine derives from it how a request is parsed, the key of cached responses, the SQL, the choice of an
// index, and which counts are kept. lists/README.md explains it.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.h"
#include "db/connection.h"
#include "db/sql.h"
#include "json/writer.h"
#include "lists/histogram.h"
#include "versions/total.h"

namespace tradepost::lists {

using versions::Total;
struct Selection;

// How the values of a parameter are compared with a column. The first three may be repeated, which means any of the values.
enum class Compare {
    folded,    // the column holds core::fold_key() of a text
    code,      // the column holds a word such as FULL_TIME; the request may write it in lower case
    text,      // equal byte by byte
    id,        // a UUID
    boolean,   // true or false
    present,   // true or false: whether the column has a value
    at_least,  // a whole number that the column is not below
    at_most,
    from,  // an RFC 3339 time, or a date, that the column is not before
    to,
};

// An index that has the rows of one value in the list's order. Of several filters the one with the highest preference gives the index.
struct Index {
    std::string_view name = {};
    int preference = 0;
    bool with_scope = false;  // it begins with the scope's column, so that every entry of a value is a row of the list
    bool unordered = false;   // it has not the list's order: it is read when few rows match, and only by this column
};

// A number or time column by whose value rows are counted.
struct CountedRange {
    std::string_view column;
    Histogram histogram;
    std::optional<std::uint8_t> rows_with_value = {};  // the measure of these; empty: every row has a value
    std::size_t most_terms = 0;                        // the most values in a key that it is counted under
    bool is_time = false;                              // in milliseconds since 1970
};

// A table that has a row for each of several values of one row, and repeats `listed` and the column of the list's order.
struct ValueTable {
    std::string_view name, id;
};

// One parameter.
struct Filter {
    std::string_view parameter;
    Compare compare;
    std::string_view column;
    Index index = {};
    char count = 0;                       // its letter in the keys of kept counts, which means one thing in a table; 0: not kept
    const CountedRange* range = nullptr;  // how at_least, at_most, from and to are counted; null: not kept
    bool few_rows = false;                // one value has few rows: their order needs no histogram together with another filter
    bool sparse = false;                  // kept in fewer counts: in no key with another such filter, and without ranges
    bool derived = false;                 // `recount` fills the column in after an upgrade; until then there is no answer
    std::int64_t most = INT64_MAX;        // greater numbers are taken for this one
    std::string_view not_below = {};      // the parameter of the other bound, which must not be greater
    const ValueTable* value_table = nullptr;  // where the column is, if not in the list's table
    std::string_view counted_column = {};     // of the list's table: the same values as a JSON array
    std::uint8_t facet = 0;                   // the measure of the counts of its values; 0: it is no facet
    std::string_view written = {};            // the column with the values as they are written, if that is another one
};

// A further order, which the parameter `sort` may name: the greatest value first, rows without one last, then by id as the list.
struct Order {
    std::string_view name, column;
    std::string_view index = {};            // of the scope in this order; without one, the list's is read and sorted
    const CountedRange* counted = nullptr;  // that counts the values; null: pages far on are walked to
    bool negated = false;                   // the column is the negative of what is counted: the least value of that comes first
    bool derived = false;                   // as Filter::derived
};

// Rows that the kept counts include and that the list does not show at the moment: they have expired, or are published later.
struct Hidden {
    std::string_view column;         // the time from which on a row is hidden, or until which it is
    bool from_then_on;               // the former; a row without that time is always shown
    std::string_view shown, hidden;  // the same as conditions with one `?`, the time
    std::string_view index;          // that finds the hidden rows
    std::string_view next;           // a subquery with one `?`, the time: when the next row becomes hidden, or visible
    // Takes at most `limit` hidden rows out of the scope and the counts, in a transaction of its own; null when they leave by themselves.
    std::size_t (*remove)(db::Connection& connection, core::Time now, int limit) = nullptr;
};

// The table and the column with the words of a list's rows, and the column there that names the row.
struct Searched {
    std::string_view table, id, column = "tokens";
};

// The rows of one page in the list's order, and the total of the list.
struct Page {
    db::Rows rows;
    Total total;
};

struct List {
    std::string_view name;  // unique; begins the keys of cached responses
    // The path below /api/v1/, the name of the items in the response, and the collection with a version.
    std::string_view collection;
    std::string_view table;  // `t` in SQL; the counts of all its lists are stored under its name

    std::string_view scope;  // the column of the rows' owner; `listed`: what everybody may see
    char scope_count =
        0;  // its letter in the keys of kept counts; 0 for `listed`, and for owners with few rows, which no counts are kept of
    std::string_view index;   // of the scope in the list's order
    bool index_order = true;  // an entry of that index is all that a page needs to find its rows
    std::string_view order;   // the time column by which the newest row comes first, then the greatest id
    bool order_may_be_null = false;
    std::span<const Order> orders = {};  // besides that one, which `sort` calls `newest`; without any the list has no `sort`

    std::span<const Filter> filters;
    std::size_t most_terms = 0;  // the most filters in one key
    // Of the order's column: for keys without a filter, with one filter, …; the last one for all longer keys.
    std::span<const Histogram> by_order = {};
    const Histogram* by_order_of_sparse = nullptr;  // for keys of one such filter
    std::span<const CountedRange> ranges = {};
    std::optional<std::size_t> most_terms_of_facets = {};  // the most filters in a key that counts facets; empty: none does

    const Hidden* hidden = nullptr;
    const Searched* searched = nullptr;  // where `q` finds rows; null: the list has no `q`
    std::string_view over = {};  // the time column after which a row is over: such rows come last, all others by the soonest

    bool versioned = true;             // the collection has a version, and responses are cached
    std::string_view poll_index = {};  // of the scope and updated_at
    // The time up to which a poll is complete; null: the list cannot be polled.
    core::Time (*horizon)(db::Connection& connection, const Selection& selection, const core::Clock& clock) = nullptr;

    // One row an item, or several that follow each other; the first column is its id.
    std::string columns;
    std::string joins = {};
    bool row_per_item = true;
    void (*write)(json::Writer& writer, db::Rows& rows);  // the items
    // Reads a page; null: newest_first().
    Page (*read)(db::Connection& connection, const Selection& selection, db::Slice slice, core::Time now,
                 const Total* known) = nullptr;
    // Until when a total holds if nobody writes; null: as `hidden` says. Read for searches alone, other totals tell it themselves.
    std::optional<core::Time> (*next_change)(db::Connection& connection, core::Time now) = nullptr;
};

inline constexpr std::string_view listed = "listed", newest = "newest", relevance = "relevance";

}  // namespace tradepost::lists
