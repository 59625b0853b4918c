#include "outbox/bundle.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "core/clock.h"
#include "db/bulk_insert.h"
#include "db/statement.h"
#include "outbox/message.h"

namespace tradepost::outbox {
namespace {

constexpr std::size_t largest_bundle = 8 << 20;

// One line for each part, of its item and of its payload.
struct Lines {
    std::string items, payloads;
    std::size_t count = 0;

    void add(const Part& part) {
        if (count++) items += '\n', payloads += '\n';
        if (part.item) items += part.item->to_string();
        // A line end in JSON is white space, as it is escaped within strings.
        std::replace_copy(part.payload.begin(), part.payload.end(), std::back_inserter(payloads), '\n', ' ');
    }
};

std::vector<Part> parts_of(const std::string& items, const std::string& payloads) {
    std::vector<Part> parts;
    for (std::size_t item = 0, payload = 0; payload != std::string::npos;) {
        const auto item_end = items.find('\n', item), payload_end = payloads.find('\n', payload);
        parts.push_back({core::Uuid::parse(std::string_view(items).substr(item, item_end - item)),
                         payloads.substr(payload, payload_end - payload)});
        item = item_end == std::string::npos ? items.size() : item_end + 1;
        payload = payload_end == std::string::npos ? payload_end : payload_end + 1;
    }
    return parts;
}

void check(const Bundle& bundle) {
    const auto too_long = [&] {
        return std::logic_error("a bundle of kind " + bundle.kind.substr(0, longest_kind) + " does not fit into the outbox");
    };
    std::size_t bytes = 0;
    if (bundle.kind.size() + bundle_suffix.size() > longest_kind) throw too_long();
    for (const auto& target : bundle.targets)
        if (target.size() > longest_target) throw too_long();
    for (const auto& part : bundle.parts) {
        bytes += part.payload.size();
        if (part.payload.size() > largest_payload || bytes > largest_bundle) throw too_long();
    }
}

}  // namespace

void send(db::Connection& connection, core::Time now, const Bundle& bundle) {
    if (bundle.parts.empty() || bundle.targets.empty()) return;
    check(bundle);
    Lines lines;
    for (const auto& part : bundle.parts) lines.add(part);
    const auto id = core::Uuid::v7(now);
    connection.execute(
        "INSERT INTO outbox_bundles (id, kind, organisation_id, created_at, parts, bytes, items, payloads) VALUES (?, ?, ?, "
        "UTC_TIMESTAMP(3), ?, ?, ?, ?)",
        {id, bundle.kind, bundle.organisation_id, std::int64_t(lines.count), std::int64_t(lines.payloads.size()), lines.items,
         lines.payloads});
    const auto kind = bundle.kind + std::string(bundle_suffix);
    // Releases without bundles may read it, and want a type.
    const auto payload = R"({"type":")" + kind + R"("})";
    db::BulkInsert rows(connection,
                        "outbox_messages (id, kind, target, organisation_id, payload, state, created_at, not_before, bundle_id)");
    for (const auto& target : bundle.targets)
        rows.add(db::literal(core::Uuid::v7(now)) + ", " + db::literal(kind) + ", " + db::literal(target) + ", " +
                 db::literal(bundle.organisation_id) + ", " + db::literal(payload) +
                 ", 'waiting', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), " + db::literal(id));
    rows.flush();
}

void unpack(db::Connection& connection, const core::Uuid& message_id, const core::Uuid& bundle_id) {
    // Whoever unpacks it for another target waits, so that the last one sees that it is.
    const auto bundles =
        connection.query("SELECT kind, items, payloads FROM outbox_bundles WHERE id = ? FOR UPDATE", {bundle_id});
    const auto rows = connection.query(
        "SELECT position, target, organisation_id, created_at, not_before FROM outbox_messages WHERE id = ? FOR UPDATE",
        {message_id});
    if (rows.empty()) return;
    connection.execute("DELETE FROM outbox_messages WHERE id = ?", {message_id});
    if (bundles.empty()) return;
    const auto& row = rows.front();
    const auto head = ", " + db::literal(row.opt_integer(0)) + ", " + db::literal(bundles.front().text(0)) + ", " +
                      db::literal(row.text(1)) + ", " + db::literal(row.opt_uuid(2)) + ", ";
    const auto tail = ", 'waiting', " + db::literal(row.time(3)) + ", " + db::literal(row.time(4));
    const auto now = core::SystemClock().now();
    db::BulkInsert messages(
        connection, "outbox_messages (id, position, kind, target, organisation_id, payload, state, created_at, not_before)");
    for (const auto& part : parts_of(bundles.front().text(1), bundles.front().text(2)))
        messages.add(db::literal(core::Uuid::v7(now)) + head + db::literal(part.payload) + tail);
    messages.flush();
    connection.execute(
        "DELETE FROM outbox_bundles WHERE id = ? AND NOT EXISTS (SELECT 1 FROM outbox_messages m WHERE m.bundle_id = ?)",
        {bundle_id, bundle_id});
}

std::size_t filter(db::Connection& connection, const core::Uuid& bundle_id,
                   const std::function<std::vector<Part>(std::vector<Part>)>& choose) {
    const auto rows = connection.query("SELECT items, payloads FROM outbox_bundles WHERE id = ? FOR UPDATE", {bundle_id});
    if (rows.empty()) return 0;
    auto parts = parts_of(rows.front().text(0), rows.front().text(1));
    const auto before = parts.size();
    Lines lines;
    for (const auto& part : choose(std::move(parts))) lines.add(part);
    const auto gone = before - lines.count;
    if (gone == 0) return 0;
    if (lines.count == 0) {
        connection.execute("DELETE FROM outbox_messages WHERE bundle_id = ?", {bundle_id});
        connection.execute("DELETE FROM outbox_bundles WHERE id = ?", {bundle_id});
    } else {
        connection.execute(
            "UPDATE outbox_bundles SET parts = ?, bytes = ?, items = ?, payloads = ? WHERE id = ?",
            {std::int64_t(lines.count), std::int64_t(lines.payloads.size()), lines.items, lines.payloads, bundle_id});
    }
    return gone;
}

}  // namespace tradepost::outbox
