#include "repo/events.h"

#include <algorithm>

#include "repo/listing.h"

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

Conditions conditions(const EventFilter& filter, core::Time now) {
    Conditions where;
    where.add("t.listed = 1");
    where.add("t.published_at <= ?", {now});
    where.add_folded("t.city_key", filter.cities);
    where.add_folded("t.category_key", filter.categories);
    if (filter.from) where.add("t.starts_at >= ?", {*filter.from});
    if (filter.to) where.add("t.starts_at <= ?", {*filter.to});
    return where;
}

// The named index keeps the optimizer from walking another one; a filtered list is short enough to sort.
std::string index(const EventFilter& filter, const char* unfiltered) {
    if (!filter.cities.empty()) return " FORCE INDEX (events_city)";
    if (!filter.categories.empty()) return " FORCE INDEX (events_category)";
    return std::string(" FORCE INDEX (") + unfiltered + ")";
}

}  // namespace

std::optional<core::Time> Events::next_change(core::Time now) {
    const auto row = connection_
                         .query("SELECT (SELECT MIN(over_at) FROM events FORCE INDEX (events_over) WHERE listed = 1 AND over_at >= ?),"
                                " (SELECT MIN(published_at) FROM events FORCE INDEX (events_publication) WHERE listed = 1 AND published_at > ?)",
                                {now, now})
                         .at(0);
    auto over = row.opt_time(0);
    if (over) *over += core::milliseconds(1);  // in its last millisecond an event is not over yet
    const auto publication = row.opt_time(1);
    return over && publication ? std::min(over, publication) : over ? over : publication;
}

Count Events::count(const EventFilter& filter, core::Time now) {
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
        // What begins later than now is not over, and what began before the first that is to come is: the index need not be read there.
        where.add(upcoming ? "t.starts_at >= ?" : "t.starts_at <= ?", {upcoming ? count.first_start : now});
        const char* order = upcoming ? "t.starts_at, t.id DESC" : "t.starts_at DESC, t.id DESC";
        const auto rows = connection_.query("SELECT STRAIGHT_JOIN " + columns + " FROM (SELECT t.id FROM events t" +
                                                index(filter, upcoming ? "events_upcoming" : "events_past") + " WHERE " + where.sql() + " ORDER BY " +
                                                order + " LIMIT ? OFFSET ?) k JOIN events t ON t.id = k.id" + joined + " ORDER BY " + order,
                                            where.values({limit, offset}));
        for (const auto& row : rows) events.push_back(read(row));
    };
    if (slice.offset >= count.total) return events;
    const std::int64_t end = std::min(slice.offset + slice.limit, count.total);
    if (slice.offset < count.upcoming) append(true, slice.offset, std::min(end, count.upcoming) - slice.offset);
    if (end > count.upcoming) append(false, std::max<std::int64_t>(0, slice.offset - count.upcoming), end - std::max(slice.offset, count.upcoming));
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
