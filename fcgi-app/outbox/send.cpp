#include "outbox/send.h"

#include <stdexcept>

#include "db/bulk_insert.h"
#include "db/statement.h"

namespace tradepost::outbox {
namespace {

constexpr std::size_t longest_kind = 32, longest_target = 190, largest_payload = 1 << 20;

}  // namespace

std::vector<core::Uuid> send(db::Connection& connection, core::Time now, std::span<const Message> messages) {
    std::vector<core::Uuid> ids;
    ids.reserve(messages.size());
    db::BulkInsert rows(connection,
                        "outbox_messages (id, kind, target, organisation_id, payload, state, created_at, not_before)");
    for (const auto& each : messages) {
        if (each.kind.size() > longest_kind || each.target.size() > longest_target || each.payload.size() > largest_payload)
            throw std::logic_error("a message of kind " + each.kind.substr(0, longest_kind) + " is too long for the outbox");
        ids.push_back(core::Uuid::v7(now));
        rows.add(db::literal(ids.back()) + ", " + db::literal(each.kind) + ", " + db::literal(each.target) + ", " +
                 db::literal(each.organisation_id) + ", " + db::literal(each.payload) + ", 'waiting', UTC_TIMESTAMP(3), " +
                 (each.not_before ? db::literal(*each.not_before) : "UTC_TIMESTAMP(3)"));
    }
    rows.flush();
    return ids;
}

}  // namespace tradepost::outbox
