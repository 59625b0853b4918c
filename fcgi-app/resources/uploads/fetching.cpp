#include "resources/uploads/fetching.h"

#include <algorithm>
#include <map>

#include "core/text.h"
#include "db/bulk_insert.h"
#include "db/statement.h"
#include "json/parse.h"
#include "json/writer.h"
#include "outbox/bundle.h"
#include "outbox/queue.h"

namespace tradepost::uploads {
namespace {

// An organisation has so many fetched at a time, whatever hosts they are on.
constexpr unsigned lanes = 2;

// The images of more are one row in the outbox for each lane, so that those of a feed are as quickly in the queue as one message.
constexpr std::size_t most_single = 10;

outbox::Message message(const Wanted& wanted, std::int64_t attempt) {
    const auto lane = static_cast<unsigned char>(wanted.id.bytes().back()) % lanes;
    json::Writer payload;
    payload.begin_object().member("uploadId", wanted.id).member("attempt", attempt).end_object();
    outbox::Message message;
    message.kind = fetch_kind;
    message.target = "images " + wanted.organisation_id.to_string() + " " + std::to_string(lane);
    message.payload = payload.take();
    message.organisation_id = wanted.organisation_id;
    return message;
}

// The last part of the path, as a name for people.
std::string file_name(std::string_view url) {
    url = url.substr(0, url.find_first_of("?#"));
    const auto name = url.substr(url.rfind('/') + 1);
    return name.empty() || name.size() > 255 || !core::is_utf8(name) ? "image" : std::string(name);
}

}  // namespace

void begin_fetching(db::Connection& connection, std::span<const Wanted> wanted, core::Time now) {
    if (wanted.empty()) return;
    db::BulkInsert rows(
        connection, "uploads (id, organisation_id, status, filename, content_type, source_url, size, attachments, created_at)");
    std::vector<outbox::Message> messages;
    for (const auto& each : wanted) {
        rows.add(db::literal(each.id) + ", " + db::literal(each.organisation_id) + ", 'FETCHING', " +
                 db::literal(file_name(each.source_url)) + ", 'application/octet-stream', " + db::literal(each.source_url) +
                 ", 0, 1, " + db::literal(now));
        messages.push_back(message(each, 0));
    }
    rows.flush();
    if (messages.size() <= most_single) {
        outbox::send(connection, now, messages);
        return;
    }
    std::map<std::string, outbox::Bundle> bundles;
    for (auto& each : messages) {
        auto& bundle = bundles[each.target];
        bundle.kind = each.kind;
        bundle.targets = {each.target};
        bundle.organisation_id = each.organisation_id;
        bundle.parts.push_back({{}, std::move(each.payload)});
    }
    for (const auto& [target, bundle] : bundles) outbox::send(connection, now, bundle);
}

Task read_task(const std::string& payload) {
    const auto task = json::parse(payload);
    return {core::Uuid::parse(task.at("uploadId").get<std::string>()).value(), task.at("attempt").get<std::int64_t>()};
}

std::optional<Wanted> find_wanted(db::Connection& connection, const core::Uuid& id) {
    const auto rows = connection.query(
        "SELECT organisation_id, source_url FROM uploads FORCE INDEX (PRIMARY) WHERE id = ? AND status = 'FETCHING' AND "
        "attachments > 0",
        {id});
    if (rows.empty()) return {};
    return Wanted{id, rows[0].uuid(0), rows[0].text(1)};
}

void fetch_again(db::Connection& connection, const Wanted& wanted, std::int64_t attempt, core::Time now, core::Time not_before) {
    auto again = message(wanted, attempt);
    again.not_before = not_before;
    db::in_transaction(connection, [&] { outbox::send(connection, now, std::span(&again, 1)); });
}

void fail_fetch(db::Connection& connection, const core::Uuid& id, std::string_view why) {
    connection.execute("UPDATE uploads SET status = 'FAILED', fetch_error = LEFT(?, 500) WHERE id = ? AND status = 'FETCHING'",
                       {why, id});
}

}  // namespace tradepost::uploads
