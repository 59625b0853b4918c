#include "webhooks/webhook.h"

#include <algorithm>

namespace tradepost::webhooks {
namespace {

constexpr std::string_view prefix = "webhook ";

std::string names() {
    std::string list;
    for (const auto name : event_names) list.append(list.empty() ? "" : ", ").append(name);
    return list;
}

}  // namespace

std::span<const fields::Field<Webhook>> webhook_fields() {
    using fields::Kind;
    using fields::Presence;
    using fields::Use;
    static const fields::Field<Webhook> fields[] = {
        {"url", {Kind::https_url, Presence::required, 1, 2048, {}}, &Webhook::url},
        {"events", {Kind::text_list, Presence::required, 0, event_names.size(), {}}, &Webhook::events},
        {"active", {Kind::boolean, Presence::defaulted}, &Webhook::active},
        {"disabledReason", fields::rules::text(16), &Webhook::disabled_reason, Use::read_only},
        {"failingSince", fields::rules::time(), &Webhook::failing_since, Use::read_only},
        {"createdAt", fields::rules::time(Presence::required), &Webhook::created_at, Use::read_only},
        {"updatedAt", fields::rules::time(Presence::required), &Webhook::updated_at, Use::read_only},
    };
    return fields;
}

std::optional<fields::Fault> fault(const Webhook& webhook) {
    auto events = webhook.events;
    const auto known = [](const auto& name) {
        return std::find(event_names.begin(), event_names.end(), name) != event_names.end();
    };
    if (events.empty() || !std::all_of(events.begin(), events.end(), known))
        return fields::Fault{"events", "must be a list of " + names()};
    std::sort(events.begin(), events.end());
    if (std::adjacent_find(events.begin(), events.end()) != events.end())
        return fields::Fault{"events", "must not name an event twice"};
    return {};
}

std::string target_of(const core::Uuid& id) {
    return std::string(prefix) + id.to_string();
}

std::optional<core::Uuid> webhook_of(std::string_view target) {
    if (!target.starts_with(prefix)) return {};
    return core::Uuid::parse(target.substr(prefix.size()));
}

}  // namespace tradepost::webhooks
