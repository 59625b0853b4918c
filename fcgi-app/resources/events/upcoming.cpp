#include "resources/events/upcoming.h"

#include <algorithm>
#include <array>

#include "counts/histogram.h"
#include "lists/source.h"
#include "lists/totals.h"
#include "resource/rows.h"
#include "resources/events/event.h"
#include "resources/events/lists.h"

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
    for (const auto& row : connection.query(sql)) times.push_back(counts::counted_time(row.time(0)));
    if (times.size() == std::size_t(most)) return {};
    return times;
}

// Where the event at `offset` is among all that the selection finds, by their beginning, the latest first.
std::optional<counts::OffsetStart> start_of(db::Connection& connection, const Selection& selection, std::int64_t offset,
                                            core::Time now) {
    if (offset < counts::worth_a_search) return {};
    const auto keys = lists::count_keys(selection);
    if (!keys) return {};
    const auto later = not_shown(connection, without_times(selection), now);
    if (!later) return {};
    std::int64_t too_late = 0;  // begin after what was asked for
    if (const auto to = bound(selection, Compare::to)) {
        const auto first = counts::counted_time(*to) + 1;
        constexpr counts::Buckets all{counts::all_rows, 0, 0};
        db::Sql sql("SELECT ");
        sql.add(counts::sum_of("events", *keys, std::span(&all, 1), beginnings.below(first)));
        too_late = connection.query(sql).at(0).integer(0) -
                   std::count_if(later->begin(), later->end(), [&](auto time) { return time >= first; });
    }
    auto start = counts::find_offset(connection, "events", *keys, beginnings, *later, too_late + offset);
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
        const auto start = part.offset < counts::worth_a_search
                               ? std::nullopt
                               : start_of(connection, selection, total.upcoming + part.offset, now);
        if (start && counts::time_of(*start) <= total.first_upcoming) {
            where.add(" AND t.starts_at < ?", {counts::time_of(*start)});
            part.offset = total.upcoming + part.offset - start->skipped;
        }
    } else if (part.offset > total.upcoming / 2) {  // from the other end
        part.limit = std::min(part.limit, total.upcoming - part.offset);
        part.offset = total.upcoming - part.offset - part.limit;
        towards = "t.starts_at DESC, t.id";
        const auto start = start_of(connection, selection, part.offset, now);
        if (start && counts::time_of(*start) > now) {
            where.add(" AND t.starts_at < ?", {counts::time_of(*start)});
            part.offset -= start->skipped;
        }
    }
    const auto from = from_index(selection, part.upcoming ? "events_upcoming" : "events_past");
    db::Sql sql("SELECT STRAIGHT_JOIN " + selection.list->items.columns + " FROM (SELECT t.id" + from);
    sql.add(where);
    if (part.upcoming && !without_times(selection).chosen.empty()) {
        // The filters' indexes are in the order of the beginning alone: those of a page are sorted, not all.
        const bool forwards = towards == order;
        sql.add(std::string(" AND t.starts_at ") + (forwards ? "<=" : ">=") + " COALESCE((SELECT t.starts_at" + from);
        sql.add(where).add(std::string(" ORDER BY t.starts_at") + (forwards ? "" : " DESC") + " LIMIT 1 OFFSET ?), " +
                               (forwards ? "'9999-12-31'" : "'0001-01-01'") + ")",
                           {part.offset + part.limit - 1});
    }
    sql.add(" ORDER BY " + towards + " LIMIT ? OFFSET ?) k JOIN events t ON t.id = k.id" + std::string(resource::joins<Event>()) +
                " ORDER BY " + order,
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

namespace {

using lists::Compare;
using lists::Rows;
using lists::Selection;
using lists::Total;
using Keys = std::span<const counts::Key>;
using Bound = std::optional<core::Time>;

constexpr counts::Buckets every_event{counts::all_rows, 0, 0};

// Events that begin from `from` on (any time without) up to `to`.
db::Sql between(Keys keys, Bound from, Bound to) {
    std::vector<counts::Buckets> outside;
    if (from) outside = beginnings.below(counts::counted_time(*from));
    if (to)
        for (const auto& range : beginnings.above(counts::counted_time(*to))) outside.push_back(range);
    return counts::sum_of("events", keys, std::span(&every_event, 1), outside);
}

db::Sql not_over(Keys keys, core::Time now) {
    return counts::sum_of("events", keys, std::span(&every_event, 1), ends.below(counts::counted_time(now)));
}

constexpr const char* next_end = "(SELECT MIN(over_at) FROM events FORCE INDEX (events_over) WHERE listed = 1 AND over_at >= ?)";

Bound earlier(Bound end, const Bound& publication) {
    if (end) *end += core::milliseconds(1);  // in its last millisecond an event is not over yet
    return end && publication ? std::min(end, publication) : end ? end : publication;
}

// The number of events that the counts hold and that are published later.
db::Sql published_later(const Selection& selection, core::Time now) {
    return db::Sql("(SELECT COUNT(*)").add(lists::source(selection, Rows::hidden, now).from);
}

// The events of the selection that have begun, from a time on, and are not over.
db::Sql going_on(const Selection& selection, core::Time now, core::Time from) {
    auto sql = lists::conditions(selection, Rows::shown, now);
    return sql.add(" AND t.starts_at >= ? AND t.starts_at < ? AND t.over_at >= ?", {from, now, now});
}

// Empty when the counts are not complete, or nobody keeps them. What is going on has to be looked at: all that began since the first of it.
std::optional<Total> kept_total(db::Connection& connection, const Selection& selection, core::Time now) {
    const auto kept = lists::count_keys(selection);
    if (!kept) return {};
    const Keys keys(*kept);
    const auto from = bound(selection, Compare::from), to = bound(selection, Compare::to);
    const auto all = without_times(selection);
    const auto to_come = from ? std::max(*from, now) : now;
    // One statement: all of it is read as of one moment.
    db::Sql sql("SELECT ");
    sql.add(counts::complete_scheme(), {"events"});
    sql.add(", ").add(between(keys, from, to));
    sql.add(", ").add(between(keys, to_come, to && *to >= to_come ? to : std::nullopt));
    sql.add(", ").add(not_over(keys, now));
    sql.add(", ").add(between(keys, now, {}));
    sql.add(", ").add(published_later(selection, now)).add(")");
    sql.add(", ").add(published_later(selection, now)).add(" AND t.starts_at >= ?)", {to_come});
    sql.add(", ").add(published_later(all, now)).add(" AND t.starts_at < ? AND t.over_at >= ?)", {now, now});
    sql.add(", ").add(next_end, {now});
    sql.add(", ").add(selection.list->hidden->next, {now});
    const auto row = connection.query(sql).at(0);
    if (row.opt_integer(0) != counts::counting_scheme) return {};
    Total total{row.integer(1) - row.integer(5), earlier(row.opt_time(8), row.opt_time(9))};
    if (!to || *to >= to_come) total.upcoming = row.integer(2) - row.integer(6);
    total.first_upcoming = now;
    const auto going = row.integer(3) - row.integer(4) - row.integer(7);
    if (going == 0) return total;

    db::Sql first("SELECT t.starts_at" + from_index(selection, "events_past"));
    first.add(going_on(all, now, core::Time{})).add(" ORDER BY t.starts_at DESC LIMIT 1 OFFSET ?", {going - 1});
    const auto found = connection.query(first);
    if (found.empty()) return {};  // somebody wrote meanwhile
    total.first_upcoming = found[0].time(0);
    if ((from && *from > total.first_upcoming) || (to && *to < now)) {
        db::Sql within("SELECT COUNT(*)" + from_index(selection, "events_past"));
        total.upcoming += connection.query(within.add(going_on(selection, now, total.first_upcoming))).at(0).integer(0);
    } else {
        total.upcoming += going;
    }
    return total;
}

}  // namespace

Selection without_times(Selection selection) {
    std::erase_if(selection.chosen, [](const auto& each) { return each.is_range(); });
    return selection;
}

std::optional<core::Time> bound(const Selection& selection, Compare compare) {
    for (const auto& each : selection.chosen)
        if (each.filter->compare == compare) return core::Time(core::milliseconds(each.number));
    return {};
}

std::string from_index(const Selection& selection, std::string_view unfiltered) {
    const bool filtered =
        std::any_of(selection.chosen.begin(), selection.chosen.end(), [](const auto& each) { return !each.is_range(); });
    return " FROM events t" + (filtered ? lists::index_hint(selection) : " FORCE INDEX (" + std::string(unfiltered) + ")") +
           " WHERE ";
}

std::optional<core::Time> next_change(db::Connection& connection, core::Time now) {
    db::Sql sql("SELECT ");
    const auto row = connection.query(sql.add(next_end, {now}).add(", ").add(public_list().hidden->next, {now})).at(0);
    return earlier(row.opt_time(0), row.opt_time(1));
}

Total upcoming_total(db::Connection& connection, const Selection& selection, core::Time now) {
    if (const auto kept = kept_total(connection, selection, now)) return *kept;
    db::Sql sql("SELECT COUNT(*), CAST(COALESCE(SUM(t.over_at >= ?), 0) AS SIGNED), MIN(IF(t.over_at >= ?, t.starts_at, NULL))",
                {now, now});
    sql.add(from_index(selection, "events_past")).add(lists::conditions(selection, Rows::shown, now));
    const auto row = connection.query(sql).at(0);
    Total total{row.integer(0), next_change(connection, now)};
    total.upcoming = row.integer(1);
    total.first_upcoming = row.opt_time(2).value_or(now);
    return total;
}

}  // namespace tradepost::events
