#include "webhooks/announce.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "json/writer.h"
#include "outbox/send.h"
#include "webhooks/webhooks.h"

namespace tradepost::webhooks {
namespace {

// Messages are kept in memory until they are as large as one statement.
constexpr std::size_t most_bytes = 1 << 20;

}  // namespace

std::string body(std::string_view type, core::Time at, std::string_view data) {
    json::Writer writer;
    writer.begin_object().member("type", type).member("timestamp", at).name("data").raw(data).end_object();
    return writer.take();
}

void announce(db::Connection& connection, std::string_view event, std::span<const Happening> happenings) {
    if (happenings.empty()) return;
    std::set<core::Uuid> organisations;
    for (const auto& each : happenings) organisations.insert(each.organisation_id);
    const auto listeners = Webhooks(connection).listeners(event, {organisations.begin(), organisations.end()});
    if (listeners.empty()) return;
    std::vector<outbox::Message> messages;
    std::size_t bytes = 0;
    for (const auto& each : happenings) {
        const auto found = listeners.find(each.organisation_id);
        if (found == listeners.end()) continue;
        const auto payload = body(each.type, each.at, each.data());
        for (const auto& id : found->second) {
            messages.push_back(
                {.kind = "webhook", .target = target_of(id), .payload = payload, .organisation_id = each.organisation_id});
            bytes += payload.size();
        }
        if (bytes < most_bytes) continue;
        outbox::send(connection, each.at, messages);
        messages.clear();
        bytes = 0;
    }
    if (!messages.empty()) outbox::send(connection, happenings.back().at, messages);
}

Happening deletion(std::string_view type, const core::Uuid& id, const core::Uuid& organisation_id,
                   const std::optional<std::string>& reference, core::Time at) {
    return {organisation_id, at, type, [=] {
                json::Writer writer;
                writer.begin_object().member("id", id).member("organisationId", organisation_id);
                writer.member("reference", reference).member("deletedAt", at).end_object();
                return writer.take();
            }};
}

}  // namespace tradepost::webhooks
