#include "webhooks/announce.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "json/writer.h"
#include "outbox/bundle.h"
#include "outbox/queue.h"
#include "webhooks/webhooks.h"

namespace tradepost::webhooks {
namespace {

// Messages are kept in memory until they are as large as one statement.
constexpr std::size_t most_bytes = 1 << 20;

constexpr std::chrono::seconds late{30}, overtaken{5};

thread_local Disturbance disturbance = Disturbance::none;

// A message that is not due yet gets its place among those of its target when it is, so that others overtake it (outbox/README.md).
void send_disturbed(db::Connection& connection, const outbox::Bundle& bundle, core::Time at) {
    std::vector<outbox::Message> messages;
    for (const auto& part : bundle.parts)
        for (const auto& target : bundle.targets)
            messages.push_back({.kind = bundle.kind,
                                .target = target,
                                .payload = part.payload,
                                .organisation_id = bundle.organisation_id,
                                .not_before = not_before(at)});
    if (disturbance == Disturbance::reordered) std::reverse(messages.begin(), messages.end());
    outbox::send(connection, at, messages);
}

void send(db::Connection& connection, const outbox::Bundle& bundle, core::Time at) {
    if (not_before(at)) return send_disturbed(connection, bundle, at);
    outbox::send(connection, at, bundle);
}

struct Pending {
    outbox::Bundle bundle;
    std::size_t bytes = 0;
};

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
    std::map<core::Uuid, Pending> pending;
    for (const auto& each : happenings) {
        const auto found = listeners.find(each.organisation_id);
        if (found == listeners.end()) continue;
        auto& own = pending[each.organisation_id];
        if (own.bundle.targets.empty()) {
            own.bundle.kind = kind_now();
            own.bundle.organisation_id = each.organisation_id;
            for (const auto& id : found->second) own.bundle.targets.push_back(target_of(id));
        }
        own.bundle.parts.push_back({each.item, body(each.type, each.at, each.data())});
        own.bytes += own.bundle.parts.back().payload.size();
        if (own.bytes < most_bytes) continue;
        send(connection, own.bundle, each.at);
        own = {};
    }
    for (const auto& [organisation, own] : pending) send(connection, own.bundle, happenings.back().at);
}

void disturb(Disturbance its) {
    disturbance = its;
}

const char* kind_now() {
    return disturbance == Disturbance::twice ? twice_kind : webhook_kind;
}

std::optional<core::Time> not_before(core::Time now) {
    if (disturbance == Disturbance::late) return now + late;
    if (disturbance == Disturbance::reordered) return now + overtaken;
    return {};
}

Happening deletion(std::string_view type, const core::Uuid& id, const core::Uuid& organisation_id,
                   const std::optional<std::string>& reference, core::Time at) {
    return {organisation_id, at, type, id, [=] {
                json::Writer writer;
                writer.begin_object().member("id", id).member("organisationId", organisation_id);
                writer.member("reference", reference).member("deletedAt", at).end_object();
                return writer.take();
            }};
}

}  // namespace tradepost::webhooks
