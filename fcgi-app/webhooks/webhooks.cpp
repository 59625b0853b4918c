#include "webhooks/webhooks.h"

#include <algorithm>

#include "db/sql.h"
#include "fields/rows.h"
#include "outbox/stored.h"

namespace tradepost::webhooks {
namespace {

const std::string& select() {
    static const std::string sql = "SELECT id, organisation_id" + fields::columns(webhook_fields()) + " FROM webhooks ";
    return sql;
}

Webhook read(db::Row& row) {
    Webhook webhook;
    webhook.id = row.uuid(0);
    webhook.organisation_id = row.uuid(1);
    fields::read_columns(row, 2, webhook_fields(), webhook);
    return webhook;
}

std::optional<Webhook> first(db::Rows rows) {
    if (rows.empty()) return {};
    return read(rows[0]);
}

// In one transaction; the deliverer drops the rest.
constexpr std::uint64_t most_dropped = 5000;

void drop_waiting(db::Connection& connection, const core::Uuid& id) {
    outbox::drop(connection, {.state = "waiting", .target = target_of(id)}, most_dropped);
}

}  // namespace

std::vector<Webhook> Webhooks::of_organisation(const core::Uuid& organisation_id) {
    std::vector<Webhook> all;
    for (auto& row :
         connection_.query(select() + "FORCE INDEX (webhooks_organisation) WHERE organisation_id = ? ORDER BY id LIMIT ?",
                           {organisation_id, most_of_organisation}))
        all.push_back(read(row));
    return all;
}

std::optional<Webhook> Webhooks::find(const core::Uuid& organisation_id, const core::Uuid& id) {
    return first(connection_.query(select() + "WHERE id = ? AND organisation_id = ?", {id, organisation_id}));
}

std::optional<Webhook> Webhooks::lock(const core::Uuid& organisation_id, const core::Uuid& id) {
    return first(connection_.query(select() + "WHERE id = ? AND organisation_id = ? FOR UPDATE", {id, organisation_id}));
}

std::map<core::Uuid, std::vector<core::Uuid>> Webhooks::listeners(std::string_view event,
                                                                  const std::vector<core::Uuid>& organisations) {
    std::map<core::Uuid, std::vector<core::Uuid>> found;
    for (auto& row : connection_.query(select() + "FORCE INDEX (webhooks_organisation) WHERE organisation_id IN (" +
                                           db::placeholders(organisations.size()) + ") AND active = 1 ORDER BY id",
                                       std::vector<db::Value>(organisations.begin(), organisations.end()))) {
        const auto webhook = read(row);
        if (std::find(webhook.events.begin(), webhook.events.end(), event) != webhook.events.end())
            found[webhook.organisation_id].push_back(webhook.id);
    }
    return found;
}

std::optional<Webhooks::Destination> Webhooks::destination(const core::Uuid& id) {
    std::optional<Destination> found;
    for (const auto& row : connection_.query(
             "SELECT w.url, w.active, w.failing_since IS NOT NULL, s.secret FROM webhooks w LEFT JOIN webhook_secrets "
             "s ON s.webhook_id = w.id AND (s.expires_at IS NULL OR s.expires_at > UTC_TIMESTAMP(3)) WHERE w.id = ? "
             "ORDER BY s.id DESC",
             {id})) {
        if (!found) found = Destination{row.text(0), row.boolean(1), row.boolean(2), {}};
        if (!row.is_null(3)) found->secrets.push_back(row.text(3));
    }
    return found;
}

void Webhooks::note_failure(const core::Uuid& id) {
    connection_.execute("UPDATE webhooks SET failing_since = UTC_TIMESTAMP(3) WHERE id = ? AND failing_since IS NULL", {id});
}

void Webhooks::note_success(const core::Uuid& id) {
    connection_.execute("UPDATE webhooks SET failing_since = NULL WHERE id = ?", {id});
}

void Webhooks::insert(const Webhook& webhook, std::string_view secret) {
    std::string values;
    fields::append_literals(values, webhook_fields(), webhook);
    connection_.execute(
        "INSERT INTO webhooks (id, organisation_id" + fields::columns(webhook_fields()) + ") VALUES (?, ?" + values + ")",
        {webhook.id, webhook.organisation_id});
    connection_.execute("INSERT INTO webhook_secrets (webhook_id, id, secret) VALUES (?, ?, ?)",
                        {webhook.id, webhook.id, db::Binary{secret}});
}

void Webhooks::update(const Webhook& webhook) {
    std::string changed;
    for (const auto& field : webhook_fields())
        changed.append(changed.empty() ? "" : ", ")
            .append(fields::column_name(field))
            .append(" = ")
            .append(fields::literal(field, webhook));
    connection_.execute("UPDATE webhooks SET " + changed + " WHERE id = ?", {webhook.id});
    if (!webhook.active) drop_waiting(connection_, webhook.id);
}

void Webhooks::remove(const core::Uuid& id) {
    connection_.execute("DELETE FROM webhook_secrets WHERE webhook_id = ?", {id});
    connection_.execute("DELETE FROM webhooks WHERE id = ?", {id});
    outbox::drop(connection_, {.target = target_of(id)}, most_dropped);
}

void Webhooks::rotate(const core::Uuid& id, std::string_view secret, core::Time now) {
    connection_.execute("UPDATE webhook_secrets SET expires_at = ? WHERE webhook_id = ? AND expires_at IS NULL",
                        {now + old_secrets_sign, id});
    const auto rows = connection_.query("SELECT id FROM webhook_secrets WHERE webhook_id = ? ORDER BY id DESC LIMIT ? FOR UPDATE",
                                        {id, std::int64_t(most_secrets)});
    if (rows.size() == most_secrets)
        connection_.execute("DELETE FROM webhook_secrets WHERE webhook_id = ? AND id <= ?", {id, rows[most_secrets - 1].uuid(0)});
    connection_.execute("INSERT INTO webhook_secrets (webhook_id, id, secret) VALUES (?, ?, ?)",
                        {id, core::Uuid::v7(now), db::Binary{secret}});
}

std::optional<Webhook> Webhooks::switch_off(const core::Uuid& id, std::string_view reason) {
    auto webhook = first(connection_.query(select() + "WHERE id = ? AND active = 1 FOR UPDATE", {id}));
    if (!webhook) return {};
    webhook->active = false;
    webhook->disabled_reason = reason;
    webhook->updated_at =
        std::max(connection_.query("SELECT UTC_TIMESTAMP(3)").at(0).time(0), webhook->updated_at + core::milliseconds(1));
    update(*webhook);
    return webhook;
}

bool Webhooks::has_failed_for(const core::Uuid& id, std::chrono::seconds time) {
    return !connection_
                .query("SELECT 1 FROM webhooks WHERE id = ? AND failing_since <= UTC_TIMESTAMP(3) - INTERVAL ? SECOND",
                       {id, std::int64_t(time.count())})
                .empty();
}

}  // namespace tradepost::webhooks
