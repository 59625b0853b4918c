#include "audit/record.h"

#include <atomic>
#include <exception>
#include <utility>

#include "core/crypto.h"
#include "core/email.h"
#include "core/log.h"
#include "core/text.h"
#include "db/sql.h"
#include "limits/limiter.h"

namespace tradepost::audit {

namespace {

std::array<std::atomic<std::uint64_t>, event_names.size()> counts;

thread_local Origin current;

// What fits into a column of so many characters.
std::string cut(std::string_view text, std::size_t limit) {
    if (text.empty() || !core::is_utf8(text)) return "-";
    std::size_t end = 0;
    for (std::size_t characters = 0; end < text.size(); ++end)
        if ((static_cast<unsigned char>(text[end]) & 0xc0) != 0x80 && ++characters > limit) break;
    return std::string(text.substr(0, end));
}

std::string text(const std::optional<core::Uuid>& id) {
    return id ? id->to_string() : "-";
}

// An entry as it is written: everything within the bounds of its column.
struct Written {
    Event event;
    std::string actor, address, request_id, detail;
    std::optional<core::Uuid> user, target, organisation;

    explicit Written(const Entry& entry)
        : event(entry.event),
          actor(cut(current.actor, 80)),
          address(cut(current.address, 45)),
          request_id(cut(current.request_id, 128)),
          detail(cut(entry.detail, max_detail)),
          user(entry.user),
          target(entry.target),
          organisation(entry.organisation) {}

    void insert(db::Connection& connection, const core::Uuid& id, core::Time now, const char* if_there = "") const {
        connection.execute(std::string("INSERT INTO audit_log (id, happened_at, first_at, event, actor, user_id, target_id, "
                                       "organisation_id, address, request_id, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)") +
                               if_there,
                           {id, now, now, to_string(event), actor, user, target, organisation, address, request_id, detail});
    }

    void announce() const noexcept try {
        ++counts[std::size_t(event)];
        core::log::info("audit." + std::string(to_string(event)), {{"actor", actor},
                                                                   {"user", text(user)},
                                                                   {"target", text(target)},
                                                                   {"organisation", text(organisation)},
                                                                   {"address", address},
                                                                   {"request", request_id},
                                                                   {"detail", detail}});
    } catch (const std::exception&) {
        // Without memory there is no line; the row is written.
    }
};

// The id of the row that the failures of an hour share.
core::Uuid shared_id(const Written& failure, core::Time now) {
    const auto hour = std::chrono::floor<std::chrono::hours>(now);
    return core::Uuid::from_bytes(core::fast_hash128(core::to_rfc3339(hour) + " " + std::string(to_string(failure.event)) + " " +
                                                     text(failure.user) + " " + limits::address_key(failure.address)));
}

}  // namespace

Acting::Acting(Origin origin) : before_(std::exchange(current, std::move(origin))) {}

Acting::~Acting() {
    current = std::move(before_);
}

void Acting::set_actor(const core::Uuid& user) {
    current.actor = user.to_string();
}

std::optional<core::Uuid> Acting::user() {
    return core::Uuid::parse(current.actor);
}

void record(db::Connection& connection, core::Time now, const Entry& entry) {
    Written written(entry);
    if (written.actor == "-" && entry.user) written.actor = entry.user->to_string();
    written.insert(connection, core::Uuid::v7(now), now);
    connection.after_commit([written] { written.announce(); });
}

void record_failure(db::Connection& connection, core::Time now, const Entry& entry) noexcept try {
    const Written failure(entry);
    failure.announce();
    try {
        failure.insert(
            connection, shared_id(failure, now), now,
            " ON DUPLICATE KEY UPDATE happened_at = GREATEST(happened_at, VALUES(happened_at)), actor = VALUES(actor), "
            "address = VALUES(address), request_id = VALUES(request_id), detail = VALUES(detail), times = times + 1");
    } catch (const std::exception& error) {
        core::log::warning("audit_not_written", {{"request", failure.request_id}, {"error", error.what()}});
    }
} catch (const std::exception& error) {
    core::log::warning("audit_not_written", {{"error", error.what()}});
}

std::string_view loggable_email(std::string_view email) {
    return core::parse_email(email) ? email : "-";
}

Totals totals() {
    Totals now{};
    std::copy(counts.begin(), counts.end(), now.begin());
    return now;
}

std::vector<Found> search(db::Connection& connection, const Filter& filter, int limit) {
    const auto actor = filter.user ? filter.user->to_string() : "";
    db::Sql sql(
        "SELECT a.happened_at, a.first_at, a.times, a.event, a.actor, a.address, a.request_id, a.detail, a.user_id, a.target_id, "
        "a.organisation_id, w.email, u.email, o.slug FROM (SELECT * FROM audit_log WHERE TRUE");
    if (filter.since) sql.add(" AND happened_at >= ?", {*filter.since});
    if (filter.user) sql.add(" AND (user_id = ? OR actor = ?)", {*filter.user, actor});
    if (filter.event) sql.add(" AND event = ?", {*filter.event});
    if (filter.address) sql.add(" AND address = ?", {*filter.address});
    // An actor that is no id is nobody's: UNHEX() gives NULL.
    sql.add(
        " ORDER BY happened_at DESC, id DESC LIMIT ?) a LEFT JOIN users w ON w.id = UNHEX(REPLACE(a.actor, '-', '')) "
        "LEFT JOIN users u ON u.id = a.user_id LEFT JOIN organisations o ON o.id = a.organisation_id "
        "ORDER BY a.happened_at DESC, a.id DESC",
        {limit});
    std::vector<Found> all;
    for (const auto& row : connection.query(sql))
        all.push_back({row.time(0), row.time(1), row.unsigned_integer(2), row.text(3), row.text(4), row.text(5), row.text(6),
                       row.text(7), row.opt_uuid(8), row.opt_uuid(9), row.opt_uuid(10), row.opt_text(11), row.opt_text(12),
                       row.opt_text(13)});
    return all;
}

}  // namespace tradepost::audit
