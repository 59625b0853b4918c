#include "writes/room.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <stdexcept>
#include <tuple>

#include "counts/counts.h"
#include "db/failure.h"
#include "db/sql.h"
#include "http/error.h"
#include "writes/idempotency.h"

namespace tradepost::writes {
namespace {

using core::Config;
using enum Beyond;

using steady = std::chrono::steady_clock;

// More single writers than an organisation has at once.
constexpr std::int64_t spare = 100;
// An organisation this far below a limit is not counted again for so long: single writers cannot create as many in this time.
constexpr std::int64_t far = 10'000;
constexpr auto far_for = std::chrono::seconds(10);
constexpr std::size_t most_remembered = 1000;
using FarBelow = std::tuple<Things, core::Uuid, std::int64_t>;  // of which limit
thread_local std::map<FarBelow, steady::time_point> far_until;

bool is_remembered(const FarBelow& which) {
    const auto found = far_until.find(which);
    return found != far_until.end() && steady::now() < found->second;
}

void remember(const FarBelow& which) {
    if (far_until.size() >= most_remembered) far_until.clear();
    far_until[which] = steady::now() + far_for;
}

// clang-format off
const Limit all_limits[] = {
    {.things = Things::members, .name = "members", .code = "MEMBERS", .setting = "limits.organisation_members", .beyond = refused,
     .most = [](const Config& c) { return c.limits.organisation_members; },
     .from = "memberships m FORCE INDEX (memberships_organisation) JOIN users u ON u.id = m.user_id", .where = "u.email IS NOT NULL"},
    {.things = Things::stock_items, .name = "stock items", .code = "STOCK_ITEMS", .setting = "limits.organisation_stock", .beyond = refused,
     .most = [](const Config& c) { return c.limits.organisation_stock; },
     .from = "stock_items FORCE INDEX (stock_items_poll)", .list = "stock_items", .scope = 'o'},
    {.things = Things::jobs, .name = "jobs", .code = "JOBS", .setting = "limits.organisation_jobs", .beyond = refused,
     .most = [](const Config& c) { return c.limits.organisation_jobs; },
     .from = "jobs FORCE INDEX (jobs_poll)", .list = "jobs", .scope = 'O'},
    {.things = Things::events, .name = "events", .code = "EVENTS", .setting = "limits.organisation_events", .beyond = refused,
     .most = [](const Config& c) { return c.limits.organisation_events; },
     .from = "events FORCE INDEX (events_organisation)"},
    {.things = Things::posts, .name = "posts", .code = "POSTS", .setting = "limits.organisation_posts", .beyond = refused,
     .most = [](const Config& c) { return c.limits.organisation_posts; },
     .from = "posts FORCE INDEX (posts_organisation)"},
    {.things = Things::enquiries, .name = "enquiries", .code = "ENQUIRIES", .setting = "limits.organisation_enquiries", .beyond = refused,
     .most = [](const Config& c) { return c.limits.organisation_enquiries; },
     .from = "enquiries FORCE INDEX (enquiries_list)", .list = "enquiries", .scope = 'o'},
    {.things = Things::uploads, .name = "uploads", .code = "UPLOADS", .setting = "limits.organisation_uploads", .beyond = refused,
     .most = [](const Config& c) { return c.limits.organisation_uploads; },
     .from = "uploads FORCE INDEX (uploads_organisation)"},
    {.things = Things::pending_uploads, .name = "pending uploads", .code = "PENDING_UPLOADS", .setting = "limits.organisation_pending_uploads", .beyond = refused,
     .most = [](const Config& c) { return c.limits.organisation_pending_uploads; },
     .from = "uploads FORCE INDEX (uploads_list)", .where = "status = 'PENDING'"},
    {.things = Things::upload_bytes, .name = "bytes of uploads", .code = "UPLOAD_BYTES", .setting = "uploads.quota_bytes", .beyond = refused,
     .most = [](const Config& c) { return c.uploads.quota_bytes; },
     .from = "uploads FORCE INDEX (uploads_organisation)", .sum = "CAST(IFNULL(SUM(size), 0) AS SIGNED)"},
    {.things = Things::queued_messages, .name = "queued messages", .code = "QUEUED_MESSAGES", .setting = "limits.organisation_outbox", .beyond = merged,
     .most = [](const Config& c) { return c.limits.organisation_outbox; },
     .from = "outbox_bundles FORCE INDEX (outbox_bundles_backlog)", .sum = "CAST(IFNULL(SUM(parts), 0) AS SIGNED)"},
    {.things = Things::kept_answer_bytes, .name = "bytes of kept answers", .code = "KEPT_ANSWER_BYTES", .setting = "limits.user_idempotency_bytes", .beyond = refused,
     .most = [](const Config& c) { return c.limits.user_idempotency_bytes; }, .from = {}},
    {.things = Things::audit_events, .name = "audit events", .code = "AUDIT_EVENTS", .setting = "limits.organisation_audit_rows", .beyond = removed,
     .most = [](const Config& c) { return c.limits.organisation_audit_rows; },
     .from = "audit_log FORCE INDEX (audit_log_organisation)"},
};
// clang-format on

std::string condition(const Limit& limit) {
    return limit.where.empty() ? std::string() : " AND " + std::string(limit.where);
}

counts::Count kept_cell(const Limit& limit, const core::Uuid& organisation_id) {
    return {counts::key_of({{limit.scope, organisation_id.bytes()}})};
}

// Empty when the list has no kept counts, or they are not complete.
std::optional<std::int64_t> kept(db::Connection& connection, const Limit& limit, const core::Uuid& organisation_id) {
    if (limit.list.empty()) return {};
    const auto cell = kept_cell(limit, organisation_id);
    const counts::Buckets rows{cell.measure, cell.bucket, cell.bucket};
    db::Sql sql("SELECT ");
    sql.add(counts::complete_scheme(), {limit.list})
        .add(", ")
        .add(sum_of(limit.list, std::span(&cell.key, 1), std::span(&rows, 1)));
    const auto row = connection.query(sql).at(0);
    if (row.opt_integer(0) != counts::counting_scheme) return {};
    return row.integer(1);
}

std::int64_t counted(db::Connection& connection, const Limit& limit, const core::Uuid& organisation_id, core::Time now) {
    if (limit.things == Things::kept_answer_bytes) return most_kept_bytes(connection, organisation_id, now);
    return connection
        .query("SELECT " + std::string(limit.sum) + " FROM " + std::string(limit.from) + " WHERE organisation_id = ?" +
                   condition(limit),
               {organisation_id})
        .at(0)
        .integer(0);
}

// As used(), with what the transaction has not written yet.
std::int64_t used_by(WriteTransaction& transaction, const Limit& limit, const core::Uuid& organisation_id) {
    auto& connection = transaction.connection();
    if (const auto total = kept(connection, limit, organisation_id))
        return *total + transaction.counts(limit.list).pending(kept_cell(limit, organisation_id));
    return counted(connection, limit, organisation_id, {});
}

}  // namespace

std::span<const Limit> limits() {
    return all_limits;
}

const Limit& limit_of(Things things) {
    const auto& limit = all_limits[std::size_t(things)];
    if (limit.things != things) throw std::logic_error("the limits are not in the order of writes::Things");
    return limit;
}

std::string limit_reached(const core::Config& config, Things things) {
    const auto& limit = limit_of(things);
    return "limit of " + std::to_string(limit.most(config)) + " " + std::string(limit.name) + " reached";
}

std::int64_t used(db::Connection& connection, Things things, const core::Uuid& organisation_id, core::Time now) {
    const auto& limit = limit_of(things);
    const auto total = kept(connection, limit, organisation_id);
    return total ? *total : counted(connection, limit, organisation_id, now);
}

std::size_t room_for(db::Connection& connection, const core::Config& config, Things things, const core::Uuid& organisation_id) {
    const auto most = limit_of(things).most(config);
    const auto has = std::uint64_t(std::max<std::int64_t>(0, used(connection, things, organisation_id, {})));
    return has < most ? std::size_t(most - has) : 0;
}

void check_room(WriteTransaction& transaction, const core::Config& config, Things things, const core::Uuid& organisation_id,
                std::int64_t more) {
    const auto& limit = limit_of(things);
    const auto most = std::int64_t(limit.most(config));
    const auto total = [&] {
        const auto all = used_by(transaction, limit, organisation_id) + more;
        if (all > most) throw http::conflict(limit_reached(config, things));
        return all;
    };
    const FarBelow which{things, organisation_id, most};
    if (is_remembered(which)) return;
    const auto used = total();
    if (used + far <= most) remember(which);
    if (used + spare <= most) return;
    // Others may have written rows that are not committed.
    db::take_turn(transaction.connection(), std::span(&organisation_id, 1));
    total();
}

std::vector<Usage> usage_of(db::Connection& connection, const core::Config& config, const core::Uuid& organisation_id,
                            core::Time now) {
    std::vector<Usage> all;
    for (const auto& limit : all_limits)
        all.push_back({limit, used(connection, limit.things, organisation_id, now), limit.most(config)});
    return all;
}

std::vector<std::pair<core::Uuid, std::int64_t>> organisations_over(db::Connection& connection, Things things,
                                                                    std::uint64_t most) {
    const auto& limit = limit_of(things);
    if (limit.from.empty()) throw std::logic_error("these things are counted by user");
    std::vector<std::pair<core::Uuid, std::int64_t>> over;
    const std::string sum(limit.sum);
    for (const auto& row : connection.query("SELECT organisation_id, " + sum + " FROM " + std::string(limit.from) +
                                                " WHERE organisation_id IS NOT NULL" + condition(limit) +
                                                " GROUP BY organisation_id HAVING " + sum + " > ?",
                                            {std::int64_t(most)}))
        over.emplace_back(row.uuid(0), row.integer(1));
    return over;
}

}  // namespace tradepost::writes
