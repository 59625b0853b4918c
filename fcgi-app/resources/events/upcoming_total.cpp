#include "resources/events/upcoming_total.h"

#include <algorithm>

#include "lists/counting.h"
#include "lists/source.h"
#include "resources/events/list.h"
#include "resources/events/upcoming_first.h"

namespace tradepost::events {
namespace {

using lists::Compare;
using lists::Rows;
using lists::Selection;
using lists::Total;
using Keys = std::span<const lists::FilterKey>;
using Bound = std::optional<core::Time>;

constexpr lists::CountRange every_event{lists::all_rows, 0, 0};

// Events that begin from `from` on (any time without) up to `to`.
db::Sql between(Keys keys, Bound from, Bound to) {
    std::vector<lists::CountRange> outside;
    if (from) outside = beginnings.below(lists::counted_time(*from));
    if (to)
        for (const auto& range : beginnings.above(lists::counted_time(*to))) outside.push_back(range);
    return lists::sum_of("events", keys, std::span(&every_event, 1), outside);
}

db::Sql not_over(Keys keys, core::Time now) {
    return lists::sum_of("events", keys, std::span(&every_event, 1), ends.below(lists::counted_time(now)));
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
    sql.add(lists::complete_scheme(), {"events"});
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
    if (row.opt_integer(0) != lists::counting_scheme) return {};
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
