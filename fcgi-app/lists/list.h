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
#include "counts/table.h"
#include "db/connection.h"
#include "db/sql.h"
#include "json/writer.h"
#include "versions/total.h"

namespace tradepost::lists {

using counts::listed;
using versions::Total;
struct Selection;

inline constexpr std::string_view newest = "newest", relevance = "relevance";

// How the values of a parameter are compared with a column. The first three may be repeated, which means any of the values.
enum class Compare {
    folded,     // the column holds core::fold_key() of a text
    code,       // the column holds a word such as FULL_TIME; the request may write it in lower case
    reference,  // equal byte by byte to one of core::reference_forms()
    id,         // a UUID
    boolean,    // true or false
    present,    // true or false: whether the column has a value
    at_least,   // a whole number that the column is not below
    at_most,
    from,  // an RFC 3339 time, or a date, that the column is not before
    to,
};

// An index that has the rows of one value in the list's order. The chosen filter with the highest preference gives the index.
struct Index {
    std::string_view name = {};
    int preference = 0;
    bool with_scope = false;  // it begins with the scope's column, so that every entry of a value is a row of the list
    bool unordered = false;   // it has not the list's order: it is read when few rows match, and only by this column
};

// A table that has a row for each of several values of one row, and repeats `listed` and the column of the list's order. `texts` is the column
// of the list's table with the same values as a JSON array.
struct ValueTable {
    std::string_view name, id, texts;
};

// One parameter. It is counted if Kept has a letter, or a range, of its column.
struct Filter {
    std::string_view parameter;
    Compare compare;
    std::string_view column;
    Index index = {};
    std::int64_t most = INT64_MAX;            // greater numbers are read as this one
    std::string_view not_below = {};          // the parameter of the other bound, which must not be greater
    const ValueTable* value_table = nullptr;  // where the column is, if not in the list's table

    // The column of the list's table with the values.
    std::string_view own_column() const { return value_table ? value_table->texts : column; }
};

// The greatest value first, rows without one last, then the greatest id. Pages far on are found by the range that is counted, if Kept has one.
struct Order {
    std::string_view name = newest;  // in the parameter `sort`
    std::string_view column;
    std::string_view index = {};    // of the scope in this order; without one, the list's is read and sorted
    std::string_view negates = {};  // the column is the negative of that one, whose least value comes first
    bool may_be_null = false;       // of the list's own order; the column of a further one always may

    // The column with the values themselves.
    std::string_view values() const { return negates.empty() ? column : negates; }
};

// Rows that the kept counts include and that the list does not show at the moment: they have expired, or are published later.
struct Hidden {
    std::string column;         // the time from which on a row is hidden, or until which it is
    bool from_then_on;          // the former; a row without that time is always shown
    std::string_view index;     // that finds the hidden rows
    std::string shown, hidden;  // the conditions, each with one `?`, the time
    std::string next;           // a subquery with one `?`, the time: when the next row becomes hidden, or visible
    // Takes at most `limit` hidden rows out of the scope and the counts, in a transaction of its own; null when they leave by themselves.
    std::size_t (*remove)(db::Connection& connection, core::Time now, int limit);
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

// Of a list that shows what is not over first, the soonest first, and then what is over.
struct Upcoming {
    std::string_view over;  // the time column after which a row is over
    // Reads a page, as newest_first() does for other lists.
    Page (*read)(db::Connection& connection, const Selection& selection, db::Slice slice, core::Time now, const Total* known);
    // Until when a total holds if nobody writes.
    std::optional<core::Time> (*next_change)(db::Connection& connection, core::Time now);
};

// How a list is polled with `updatedSince`.
struct Poll {
    std::string_view index = {};  // of the scope and updated_at; without one, the list's is read
    // The time up to which a poll is complete; null: the list cannot be polled.
    core::Time (*horizon)(db::Connection& connection, const Selection& selection, const core::Clock& clock) = nullptr;
};

// How the rows of a page are read and written.
struct Items {
    // The first column is the item's id.
    std::string columns = {};
    std::string joins = {};
    bool row_each = true;  // else an item has one or several rows, which follow each other
    void (*write)(json::Writer& writer, db::Rows& rows) = nullptr;
};

struct List {
    // The path below /api/v1/, the name of the items in the response, and the collection with a version.
    std::string_view collection;
    std::string_view table;  // `t` in SQL; the counts of all its lists are stored under its name
    std::string_view scope;  // the column of the rows' owner; `listed`: what everybody may see

    Order order;                         // a time, the newest first
    std::span<const Order> orders = {};  // further ones; without any the list has no `sort`
    std::span<const Filter> filters = {};
    std::span<const std::string_view> derived =
        {};  // columns that `recount` fills in after an upgrade; until then there is no answer by them
    counts::Kept counts = {};

    const Hidden* hidden = nullptr;
    const Searched* searched = nullptr;  // where `q` finds rows; null: the list has no `q`
    const Upcoming* upcoming = nullptr;
    Poll poll = {};
    bool versioned = true;  // the collection has a version, and responses are cached
    Items items = {};
};

// The counts of a table, with its lists. Borrows them.
class CountedTable : public counts::Table {
public:
    explicit CountedTable(std::vector<const List*> lists) : Table(lists[0]->table, parts(lists)), lists_(std::move(lists)) {}

    std::span<const List* const> lists() const { return lists_; }

private:
    static std::vector<Part> parts(const std::vector<const List*>& lists) {
        std::vector<Part> all;
        for (const auto* list : lists) all.push_back({list->scope, list->order.column, &list->counts});
        return all;
    }
    std::vector<const List*> lists_;
};

}  // namespace tradepost::lists
