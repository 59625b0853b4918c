#include "lists/newest_first.h"

#include <algorithm>
#include <deque>
#include <map>

#include "counts/histogram.h"
#include "lists/horizon.h"
#include "lists/source.h"
#include "lists/totals.h"

namespace tradepost::lists {
namespace {

// The most rows that several walks together may read in vain.
constexpr std::int64_t longest_of_many_walks = 2000;

// How a page is reached: which slice of the rows with a value before that of `before`, from the list's end or its beginning.
struct Walk {
    db::Slice slice;
    std::optional<db::Value> before = {};
    bool backwards = false;
};

std::string ordered_by(const std::string& time, std::string_view id, bool backwards) {
    const std::string direction = backwards ? "" : " DESC";
    return " ORDER BY " + time + direction + ", " + std::string(id) + direction;
}

// What the selection is ordered by. Few rows are read from an index that has the counted column, and not its negative.
std::string order_of(const Selection& selection) {
    const auto& order = selection.order();
    if (selection.few && !order.negates.empty()) return "-CAST(t." + std::string(order.negates) + " AS SIGNED)";
    return "t." + std::string(order.column);
}

// Whether it is a time, in milliseconds where it is counted.
bool by_time(const Selection& selection) {
    const auto* counted = selection.list->counts.range(selection.order().values());
    return !selection.sort || (counted && counted->is_time);
}

// Rows without the time come last.
void add_what_follows(db::Sql& sql, const Selection& selection, const std::string& time, const Position& last) {
    if (last.time == no_time)
        sql.add(" AND " + time + " IS NULL AND t.id < ?", {last.id});
    else if (selection.order_may_be_null())
        sql.add(" AND (" + time + " < ? OR (" + time + " = ? AND t.id < ?) OR " + time + " IS NULL)",
                {last.time, last.time, last.id});
    else
        sql.add(" AND " + time + " <= ? AND (" + time + " < ? OR t.id < ?)", {last.time, last.time, last.id});
}

// The ids and times of the page, from the indexes alone.
void add_ids(db::Sql& sql, const Selection& selection, const Walk& walk, core::Time now, std::deque<Selection>& lent) {
    const auto& slice = walk.slice;
    auto parts = in_order(selection);
    const bool by_owner = selection.owners.size() > 1;
    if (!by_owner && slice.offset + slice.limit > longest_of_many_walks) parts = {selection};
    const auto time = order_of(selection);
    bool first = true;
    for (auto& part : parts) {
        const auto& each = lent.emplace_back(std::move(part));
        auto rows = source(each, Rows::shown, now);
        sql.add(first ? "(" : " UNION ALL (")
            .add("SELECT " + std::string(rows.id) + " AS id, " + time + " AS time")
            .add(rows.from);
        if (walk.before) {
            // The rows without a value come last, so they are before any.
            const bool last_ones = selection.order_may_be_null();
            sql.add(last_ones ? " AND (" + time + " < ? OR " + time + " IS NULL)" : " AND " + time + " < ?", {*walk.before});
        }
        if (const auto& last = selection.position) add_what_follows(sql, selection, time, *last);
        sql.add(ordered_by(time, rows.id, walk.backwards) + " LIMIT ? OFFSET ?)");
        if (parts.size() == 1)
            sql.values.insert(sql.values.end(), {slice.limit, slice.offset});
        else
            sql.values.insert(sql.values.end(), {slice.offset + slice.limit, 0});
        first = false;
    }
    if (parts.size() > 1) sql.add(ordered_by("time", "id", walk.backwards) + " LIMIT ? OFFSET ?", {slice.limit, slice.offset});
}

// On a first page whose index answers the selection no row is looked up in vain. Elsewhere the page's ids come from the index alone, and
// only they are looked up. Several values, or owners, are as many walks, each in order: one over all of them would have to sort.
db::Rows rows(db::Connection& connection, const Selection& selection, const Walk& walk, core::Time now,
              const db::Sql* more = nullptr) {
    const auto& list = *selection.list;
    db::Sql sql("SELECT STRAIGHT_JOIN " + list.items.columns);
    if (more) sql.add(", ").add(*more);
    const auto time = order_of(selection);
    std::deque<Selection> lent;
    if (const auto rows = source(selection, Rows::shown, now); !selection.position && rows.index_answers && list.items.row_each &&
                                                               walk.slice.offset == 0 && !walk.before && !walk.backwards) {
        sql.add(" FROM " + std::string(list.table) + " t" + index_hint(selection) + list.items.joins + " WHERE ");
        sql.add(conditions(selection, Rows::shown, now)).add(ordered_by(time, "t.id", false) + " LIMIT ?", {walk.slice.limit});
    } else {
        sql.add(" FROM (");
        add_ids(sql, selection, walk, now, lent);
        sql.add(") k JOIN " + std::string(list.table) + " t FORCE INDEX (PRIMARY) ON t.id = k.id" + list.items.joins +
                " ORDER BY k.time DESC, k.id DESC");
    }
    return connection.query(sql);
}

// An index does not know how many rows lie before an entry; the counts do. Empty when they cannot tell.
std::optional<counts::OffsetStart> start_of(db::Connection& connection, const Selection& selection, std::int64_t offset,
                                            core::Time now) {
    constexpr std::int64_t most_hidden = 1000;
    const auto keys = count_keys(selection);
    const auto histogram = order_histogram(selection);
    if (!keys || keys->empty() || !histogram) return {};
    std::vector<std::uint64_t> hidden;
    if (selection.list->hidden) {
        db::Sql sql("SELECT t." + std::string(selection.order().values()));
        sql.add(source(selection, Rows::hidden, now).from).add(" LIMIT ?", {most_hidden});
        const auto found = connection.query(sql);
        if (found.size() == std::size_t(most_hidden)) return {};
        for (const auto& row : found) {
            if (row.is_null(0)) continue;
            hidden.push_back(by_time(selection) ? counts::counted_time(row.time(0)) : row.unsigned_integer(0));
        }
    }
    return counts::find_offset(connection, selection.list->table, *keys, *histogram, hidden, offset,
                               !selection.order().negates.empty());
}

Walk walk_to(db::Connection& connection, const Selection& selection, db::Slice slice, core::Time now, const Total& total) {
    Walk walk{slice};
    if (slice.offset >= counts::worth_a_search) {
        if (const auto start = start_of(connection, selection, slice.offset, now)) {
            walk.before = by_time(selection) ? db::Value(counts::time_of(*start)) : db::Value(start->before);
            walk.slice.offset -= start->skipped;
            return walk;
        }
    }
    if (slice.offset > total.rows / 2) {  // from the other end
        walk.backwards = true;
        walk.slice.limit = std::min(slice.limit, total.rows - slice.offset);
        walk.slice.offset = total.rows - slice.offset - walk.slice.limit;
    }
    return walk;
}

// Where a page begins is worked out from counts and hidden rows. Both must be of one moment, or a row that leaves the counts between two
// statements shifts the page.
db::Rows rows_far_on(db::Connection& connection, const Selection& selection, db::Slice slice, core::Time now,
                     const Total& total) {
    db::Transaction snapshot(connection, db::Reads::as_of_the_first);
    auto found = rows(connection, selection, walk_to(connection, selection, slice, now, total), now);
    snapshot.commit();
    return found;
}

}  // namespace

bool reads_many_rows(const Selection& selection, std::int64_t offset, const Total* known) {
    const auto keys = count_keys(selection);
    if (!known && !keys) return true;
    return offset >= counts::worth_a_search && !(keys && order_histogram(selection));
}

Page newest_first(db::Connection& connection, const Selection& selection, db::Slice slice, core::Time now, const Total* known) {
    const bool near = slice.offset < counts::worth_a_search;
    const auto most_sorted = worth_sorting(selection, slice);
    if (!known && near && most_sorted == 0) {
        const TotalColumns columns(selection, now);
        auto found = rows(connection, selection, {slice}, now, &columns.sql());
        if (!found.empty())
            if (const auto total = columns.read(found[0], found[0].columns() - columns.width()))
                return {std::move(found), *total};
        if (found.empty() && slice.offset == 0 && !selection.list->hidden && !selection.needs_derived()) return {};
    }
    const auto total = known ? *known : total_of(connection, selection, now);
    if (slice.offset >= total.rows) return {{}, total};
    if (total.rows <= most_sorted) {
        auto few = selection;
        few.few = true;
        return {rows(connection, few, {slice}, now), total};
    }
    if (!near) return {rows_far_on(connection, selection, slice, now, total), total};
    return {rows(connection, selection, walk_to(connection, selection, slice, now, total), now), total};
}

Page page_of_poll(db::Connection& connection, const Selection& selection, db::Slice slice, core::Time now) {
    const db::Sql time("t." + std::string(selection.list->order.column));
    const auto total = total_of(connection, selection, now);
    return {rows(connection, selection, {slice}, now, &time), total};
}

db::Rows rows_of(db::Connection& connection, const Selection& selection, const std::vector<core::Uuid>& ids, core::Time now) {
    const auto& list = *selection.list;
    if (ids.empty()) return {};
    std::map<core::Uuid, std::size_t> place;
    for (const auto& id : ids) place.emplace(id, place.size());
    db::Sql sql("SELECT " + list.items.columns + " FROM " + std::string(list.table) + " t" + list.items.joins + " WHERE ");
    // The search may not know yet that a row is not shown any more.
    sql.add_in("t.id", std::span(ids)).add(" AND ").add(conditions(selection, Rows::shown, now));
    auto found = connection.query(sql);
    std::stable_sort(found.begin(), found.end(),
                     [&](const auto& a, const auto& b) { return place.at(a.uuid(0)) < place.at(b.uuid(0)); });
    return found;
}

}  // namespace tradepost::lists
