#include "repo/events.h"

#include <algorithm>

#include "repo/event_counts.h"
#include "repo/event_writer.h"
#include "repo/listing.h"
#include "repo/offset_search.h"
#include "repo/time_counts.h"

namespace tradepost::repo {
namespace {

const std::string columns = std::string("t.id, t.slug, ") + organisation_columns +
                            ", t.title, t.summary, t.category, t.starts_at, t.ends_at, t.timezone, t.venue_name, t.address, t.city, t.country, "
                            "t.is_online, t.url, t.image_url, t.status, t.published_at, t.created_at, t.updated_at";
const std::string joined = " JOIN organisations o ON o.id = t.organisation_id";

domain::Event read(const db::Row& row) {
    domain::Event event;
    std::size_t at = 0;
    event.id = row.uuid(at++);
    event.slug = row.text(at++);
    event.organisation = read_organisation(row, at);
    at += 4;
    event.title = row.text(at++);
    event.summary = row.opt_text(at++);
    event.category = row.opt_text(at++);
    event.starts_at = row.time(at++);
    event.ends_at = row.opt_time(at++);
    for (auto* text : {&event.timezone, &event.venue_name, &event.address, &event.city, &event.country}) *text = row.opt_text(at++);
    event.is_online = row.boolean(at++);
    event.url = row.opt_text(at++);
    event.image_url = row.opt_text(at++);
    event.status = row.text(at++);
    event.published_at = row.opt_time(at++);
    event.created_at = row.time(at++);
    event.updated_at = row.time(at++);
    return event;
}

void add_filters(Conditions& where, const EventFilter& filter) {
    where.add_folded("t.city_key", filter.cities);
    where.add_folded("t.category_key", filter.categories);
    if (filter.from) where.add("t.starts_at >= ?", {*filter.from});
    if (filter.to) where.add("t.starts_at <= ?", {*filter.to});
}

Conditions conditions(const EventFilter& filter, core::Time now) {
    Conditions where;
    where.add("t.listed = 1");
    where.add("t.published_at <= ?", {now});
    add_filters(where, filter);
    return where;
}

// The named index keeps the optimizer from walking another one; a filtered list is short enough to sort.
std::string index(const EventFilter& filter, const char* unfiltered) {
    if (!filter.cities.empty()) return " FORCE INDEX (events_city)";
    if (!filter.categories.empty()) return " FORCE INDEX (events_category)";
    return std::string(" FORCE INDEX (") + unfiltered + ")";
}

constexpr const char* next_end = "(SELECT MIN(over_at) FROM events FORCE INDEX (events_over) WHERE listed = 1 AND over_at >= ?)";
constexpr const char* next_publication =
    "(SELECT MIN(published_at) FROM events FORCE INDEX (events_publication) WHERE listed = 1 AND published_at > ?)";

std::optional<core::Time> earlier(std::optional<core::Time> end, const std::optional<core::Time>& publication) {
    if (end) *end += core::milliseconds(1);  // in its last millisecond an event is not over yet
    return end && publication ? std::min(end, publication) : end ? end : publication;
}

// One SELECT of several values.
class Several {
public:
    void add(std::string_view sql, const std::vector<db::Value>& values) {
        sql_.append(sql_.empty() ? "SELECT " : ", ").append(sql);
        values_.insert(values_.end(), values.begin(), values.end());
    }
    void add(const CountSum& sum) { add(sum.sql, sum.values); }
    db::Row read(db::Connection& connection) const { return connection.query(sql_, values_).at(0); }

private:
    std::string sql_;
    std::vector<db::Value> values_;
};

// What counts as the filter's rows and is published later.
Conditions published_later(const EventFilter& filter, core::Time now) {
    Conditions where;
    where.add("t.listed = 1");
    where.add("t.published_at > ?", {now});
    add_filters(where, filter);
    return where;
}
const std::string from_later = " FROM events t FORCE INDEX (events_publication) WHERE ";

// Those of the filter's events that go on at the moment: begun, and not over.
Conditions going_on(EventFilter filter, core::Time now, core::Time from) {
    const auto just_before = now - core::milliseconds(1);
    filter.from = filter.from ? std::max(*filter.from, from) : from;
    filter.to = filter.to ? std::min(*filter.to, just_before) : just_before;
    auto where = conditions(filter, now);
    where.add("t.over_at >= ?", {now});
    return where;
}

// The count as the writers keep it; empty when they do not. What goes on at the moment has to be looked at: of all that began since the
// first of it.
std::optional<Count> kept_count(db::Connection& connection, const EventFilter& filter, core::Time now) {
    const auto key = counted_filter(filter);
    if (!key) return {};
    auto without_times = filter;
    without_times.from.reset(), without_times.to.reset();
    const auto to_come = filter.from ? std::max(*filter.from, now) : now;
    const auto later = published_later(filter, now), later_of_all = published_later(without_times, now);
    // One statement: all of it is read as of one moment.
    Several several;
    several.add(counts_are_complete(), {EventTable::name});
    several.add(events_between(*key, filter.from, filter.to));
    several.add(events_between(*key, to_come, filter.to && *filter.to >= to_come ? filter.to : std::nullopt));
    several.add(events_not_over(*key, now));
    several.add(events_between(*key, now, {}));
    several.add("(SELECT COUNT(*)" + from_later + later.sql() + ")", later.values());
    several.add("(SELECT COUNT(*)" + from_later + later.sql() + " AND t.starts_at >= ?)", later.values({to_come}));
    several.add("(SELECT COUNT(*)" + from_later + later_of_all.sql() + " AND t.starts_at < ? AND t.over_at >= ?)", later_of_all.values({now, now}));
    several.add(next_end, {now});
    several.add(next_publication, {now});
    const auto row = several.read(connection);
    if (row.is_null(0)) return {};
    Count count{row.integer(1) - row.integer(5)};
    if (!filter.to || *filter.to >= to_come) count.upcoming = row.integer(2) - row.integer(6);
    count.valid_until = earlier(row.opt_time(8), row.opt_time(9));
    count.first_start = now;
    const auto going = row.integer(3) - row.integer(4) - row.integer(7);
    if (going == 0) return count;

    const auto where = going_on(without_times, now, core::Time{});
    const auto first = connection.query("SELECT t.starts_at FROM events t" + index(filter, "events_past") + " WHERE " + where.sql() +
                                            " ORDER BY t.starts_at DESC LIMIT 1 OFFSET ?",
                                        where.values({going - 1}));
    if (first.empty()) return {};  // somebody wrote meanwhile
    count.first_start = first[0].time(0);
    if ((filter.from && *filter.from > count.first_start) || (filter.to && *filter.to < now)) {
        const auto within = going_on(filter, now, count.first_start);
        count.upcoming += connection.query("SELECT COUNT(*) FROM events t" + index(filter, "events_past") + " WHERE " + within.sql(), within.values())
                              .at(0)
                              .integer(0);
    } else {
        count.upcoming += going;
    }
    return count;
}

// Times at which events begin that are counted and will be published later; empty when they are too many.
std::optional<std::vector<std::uint64_t>> not_shown(db::Connection& connection, const EventFilter& filter, core::Time now) {
    constexpr std::size_t most = 1000;
    const auto where = published_later(filter, now);
    std::vector<std::uint64_t> times;
    for (const auto& row : connection.query("SELECT t.starts_at" + from_later + where.sql() + " LIMIT ?", where.values({std::int64_t(most)})))
        times.push_back(time_value(row.time(0)));
    if (times.size() == most) return {};
    return times;
}

// Where the event at `offset` is among all that the filter finds, by their beginning, the latest first.
std::optional<OffsetStart> start_of(db::Connection& connection, const EventFilter& filter, std::int64_t offset, core::Time now) {
    const auto key = counted_filter(filter);
    if (!key) return {};
    auto without_times = filter;
    without_times.from.reset(), without_times.to.reset();
    const auto later = not_shown(connection, without_times, now);
    if (!later) return {};
    std::int64_t too_late = 0;  // begin after what was asked for
    if (filter.to) {
        const auto first = *filter.to + core::milliseconds(1);
        Several several;
        several.add(events_between(*key, first, {}));
        too_late = several.read(connection).integer(0) -
                   std::count_if(later->begin(), later->end(), [&](auto time) { return time >= time_value(first); });
    }
    auto start = find_offset(connection, EventTable::name, std::span(&*key, 1), event_beginnings, *later, too_late + offset);
    if (start && (start->skipped -= too_late) < 0) return {};
    return start;
}

}  // namespace

std::optional<core::Time> Events::next_change(core::Time now) {
    const auto row = connection_.query(std::string("SELECT ") + next_end + ", " + next_publication, {now, now}).at(0);
    return earlier(row.opt_time(0), row.opt_time(1));
}

Count Events::count(const EventFilter& filter, core::Time now) {
    if (const auto kept = kept_count(connection_, filter, now)) return *kept;
    const auto where = conditions(filter, now);
    std::vector<db::Value> values{now, now};
    for (const auto& value : where.values()) values.push_back(value);
    const auto rows = connection_.query("SELECT COUNT(*), CAST(COALESCE(SUM(t.over_at >= ?), 0) AS SIGNED), MIN(IF(t.over_at >= ?, t.starts_at, NULL)) FROM events t" +
                                            index(filter, "events_past") + " WHERE " + where.sql(),
                                        values);
    Count count;
    count.total = rows.at(0).integer(0);
    count.upcoming = rows[0].integer(1);
    count.first_start = rows[0].opt_time(2).value_or(now);
    count.valid_until = next_change(now);
    return count;
}

std::vector<domain::Event> Events::page(const EventFilter& filter, const Count& count, Slice slice, core::Time now) {
    std::vector<domain::Event> events;
    const auto append = [&](bool upcoming, std::int64_t offset, std::int64_t limit) {
        auto where = conditions(filter, now);
        where.add(upcoming ? "t.over_at >= ?" : "t.over_at < ?", {now});
        // What begins later than now is not over, and what began before the first that is to come is: the index need not be read
        // there.
        where.add(upcoming ? "t.starts_at >= ?" : "t.starts_at <= ?", {upcoming ? count.first_start : now});
        const auto from = " FROM events t" + index(filter, upcoming ? "events_upcoming" : "events_past") + " WHERE ";
        const char* order = upcoming ? "t.starts_at, t.id DESC" : "t.starts_at DESC, t.id DESC";
        std::string towards = order;
        if (!upcoming) {
            // Before the first that is to come there are only past ones: as many before each as its place in the whole list says.
            const auto start = offset < worth_a_search ? std::nullopt : start_of(connection_, filter, count.upcoming + offset, now);
            if (start && start->before <= count.first_start) {
                where.add("t.starts_at < ?", {start->before});
                offset = count.upcoming + offset - start->skipped;
            }
        } else if (offset > count.upcoming / 2) {
            // From the other end.
            limit = std::min(limit, count.upcoming - offset);
            offset = count.upcoming - offset - limit;
            towards = "t.starts_at DESC, t.id";
            const auto start = offset < worth_a_search ? std::nullopt : start_of(connection_, filter, offset, now);
            if (start && start->before > now) {
                where.add("t.starts_at < ?", {start->before});
                offset -= start->skipped;
            }
        }
        auto values = where.values();
        std::string bound;
        if (upcoming && (!filter.cities.empty() || !filter.categories.empty())) {
            // These indexes are in the order of the beginning alone: those of a page are sorted, not all.
            const bool forwards = towards == order;
            bound = std::string(" AND t.starts_at ") + (forwards ? "<=" : ">=") + " COALESCE((SELECT t.starts_at" + from + where.sql() +
                    " ORDER BY t.starts_at" + (forwards ? "" : " DESC") + " LIMIT 1 OFFSET ?), " + (forwards ? "'9999-12-31'" : "'0001-01-01'") + ")";
            const auto again = where.values({offset + limit - 1});
            values.insert(values.end(), again.begin(), again.end());
        }
        values.insert(values.end(), {limit, offset});
        const auto rows = connection_.query("SELECT STRAIGHT_JOIN " + columns + " FROM (SELECT t.id" + from + where.sql() + bound + " ORDER BY " +
                                                towards + " LIMIT ? OFFSET ?) k JOIN events t ON t.id = k.id" + joined + " ORDER BY " + order,
                                            values);
        for (const auto& row : rows) events.push_back(read(row));
    };
    if (slice.offset >= count.total) return events;
    const std::int64_t end = std::min(slice.offset + slice.limit, count.total);
    if (slice.offset < count.upcoming) append(true, slice.offset, std::min(end, count.upcoming) - slice.offset);
    if (end > count.upcoming)
        append(false, std::max<std::int64_t>(0, slice.offset - count.upcoming), end - std::max(slice.offset, count.upcoming));
    return events;
}

std::pair<std::vector<domain::Event>, Count> Events::search(const EventFilter& filter, Slice slice, core::Time now) {
    const std::string time = "'" + core::to_sql(now) + "'";
    const std::string order = "t.over_at < " + time + ", IF(t.over_at < " + time + ", NULL, t.starts_at), IF(t.over_at < " + time +
                              ", t.starts_at, NULL) DESC, t.id DESC";
    const auto matches = search_.find({"events", "event_search", "event_id", order}, *filter.search, conditions(filter, now), slice);
    std::vector<domain::Event> events;
    if (!matches.ids.empty()) {
        const std::vector<db::Value> ids(matches.ids.begin(), matches.ids.end());
        for (const auto& row : connection_.query("SELECT " + columns + " FROM events t" + joined + " WHERE t.id IN (" + placeholders(ids.size()) + ")", ids))
            events.push_back(read(row));
        events = in_order(std::move(events), matches.ids);
    }
    Count count;
    count.total = matches.total;
    count.valid_until = next_change(now);
    return {std::move(events), count};
}

std::optional<domain::Event> Events::find(std::string_view id_or_slug, core::Time now) {
    const Identity identity(id_or_slug);
    if (!identity.possible()) return {};
    const auto rows = connection_.query("SELECT " + columns + ", t.description FROM events t" + joined + " WHERE " + identity.condition() +
                                            " AND t.listed = 1 AND t.published_at <= ?",
                                        {identity.value(), now});
    if (rows.empty()) return {};
    auto event = read(rows[0]);
    event.description = rows[0].opt_text(rows[0].columns() - 1);
    return event;
}

}  // namespace tradepost::repo
