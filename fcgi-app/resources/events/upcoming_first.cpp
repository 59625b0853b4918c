#include "resources/events/upcoming_first.h"

#include <algorithm>
#include <array>

#include "lists/counting.h"
#include "lists/offset_search.h"
#include "lists/source.h"
#include "resources/events/list.h"
#include "resources/events/rows.h"
#include "resources/events/upcoming_total.h"

namespace tradepost::events {
namespace {

using lists::Compare;
using lists::Rows;
using lists::Selection;
using lists::Total;

// When the events begin that are counted and will be published later; empty when they are too many.
std::optional<std::vector<std::uint64_t>> not_shown(db::Connection& connection, const Selection& selection, core::Time now) {
    constexpr std::int64_t most = 1000;
    db::Sql sql("SELECT t.starts_at");
    sql.add(lists::source(selection, Rows::hidden, now).from).add(" LIMIT ?", {most});
    std::vector<std::uint64_t> times;
    for (const auto& row : connection.query(sql)) times.push_back(lists::counted_time(row.time(0)));
    if (times.size() == std::size_t(most)) return {};
    return times;
}

// Where the event at `offset` is among all that the selection finds, by their beginning, the latest first.
std::optional<lists::OffsetStart> start_of(db::Connection& connection, const Selection& selection, std::int64_t offset,
                                           core::Time now) {
    if (offset < lists::worth_a_search) return {};
    const auto keys = lists::count_keys(selection);
    if (!keys) return {};
    const auto later = not_shown(connection, without_times(selection), now);
    if (!later) return {};
    std::int64_t too_late = 0;  // begin after what was asked for
    if (const auto to = bound(selection, Compare::to)) {
        const auto first = lists::counted_time(*to) + 1;
        constexpr lists::CountRange all{lists::all_rows, 0, 0};
        db::Sql sql("SELECT ");
        sql.add(lists::sum_of("events", *keys, std::span(&all, 1), beginnings.below(first)));
        too_late = connection.query(sql).at(0).integer(0) -
                   std::count_if(later->begin(), later->end(), [&](auto time) { return time >= first; });
    }
    auto start = lists::find_offset(connection, "events", *keys, beginnings, *later, too_late + offset);
    if (!start) return {};
    start->skipped -= too_late;
    if (start->skipped < 0) return {};
    return start;
}

// One part of a page: of what is not over, or of what is.
struct Part {
    bool upcoming;
    std::int64_t offset, limit;
};

db::Rows read_part(db::Connection& connection, const Selection& selection, const Total& total, Part part, core::Time now) {
    auto where = lists::conditions(selection, Rows::shown, now);
    where.add(part.upcoming ? " AND t.over_at >= ?" : " AND t.over_at < ?", {now});
    // An event that begins later than now is not over, and one that began before the first upcoming one is: the index need not be read there.
    where.add(part.upcoming ? " AND t.starts_at >= ?" : " AND t.starts_at <= ?", {part.upcoming ? total.first_upcoming : now});
    const std::string order = part.upcoming ? "t.starts_at, t.id DESC" : "t.starts_at DESC, t.id DESC";
    std::string towards = order;
    if (!part.upcoming) {
        // Before the first upcoming event there are only past ones: as many before each as its place in the whole list says.
        const auto start = part.offset < lists::worth_a_search
                               ? std::nullopt
                               : start_of(connection, selection, total.upcoming + part.offset, now);
        if (start && lists::time_of(*start) <= total.first_upcoming) {
            where.add(" AND t.starts_at < ?", {lists::time_of(*start)});
            part.offset = total.upcoming + part.offset - start->skipped;
        }
    } else if (part.offset > total.upcoming / 2) {  // from the other end
        part.limit = std::min(part.limit, total.upcoming - part.offset);
        part.offset = total.upcoming - part.offset - part.limit;
        towards = "t.starts_at DESC, t.id";
        const auto start = start_of(connection, selection, part.offset, now);
        if (start && lists::time_of(*start) > now) {
            where.add(" AND t.starts_at < ?", {lists::time_of(*start)});
            part.offset -= start->skipped;
        }
    }
    const auto from = from_index(selection, part.upcoming ? "events_upcoming" : "events_past");
    db::Sql sql("SELECT STRAIGHT_JOIN " + selection.list->columns + " FROM (SELECT t.id" + from);
    sql.add(where);
    if (part.upcoming && !without_times(selection).chosen.empty()) {
        // The filters' indexes are in the order of the beginning alone: those of a page are sorted, not all.
        const bool forwards = towards == order;
        sql.add(std::string(" AND t.starts_at ") + (forwards ? "<=" : ">=") + " COALESCE((SELECT t.starts_at" + from);
        sql.add(where).add(std::string(" ORDER BY t.starts_at") + (forwards ? "" : " DESC") + " LIMIT 1 OFFSET ?), " +
                               (forwards ? "'9999-12-31'" : "'0001-01-01'") + ")",
                           {part.offset + part.limit - 1});
    }
    sql.add(" ORDER BY " + towards + " LIMIT ? OFFSET ?) k JOIN events t ON t.id = k.id" + joins + " ORDER BY " + order,
            {part.limit, part.offset});
    return connection.query(sql);
}

}  // namespace

lists::Page upcoming_first(db::Connection& connection, const Selection& selection, db::Slice slice, core::Time now,
                           const Total* known) {
    lists::Page page{{}, known ? *known : upcoming_total(connection, selection, now)};
    const auto& total = page.total;
    if (slice.offset >= total.rows) return page;
    const auto end = std::min(slice.offset + slice.limit, total.rows);
    if (slice.offset < total.upcoming)
        page.rows =
            read_part(connection, selection, total, {true, slice.offset, std::min(end, total.upcoming) - slice.offset}, now);
    if (end > total.upcoming) {
        const auto offset = std::max<std::int64_t>(0, slice.offset - total.upcoming);
        for (auto& row :
             read_part(connection, selection, total, {false, offset, end - std::max(slice.offset, total.upcoming)}, now))
            page.rows.push_back(std::move(row));
    }
    return page;
}

}  // namespace tradepost::events
