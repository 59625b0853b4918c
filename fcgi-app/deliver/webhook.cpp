#include "deliver/webhook.h"

#include <nlohmann/json.hpp>

#include "audit/record.h"
#include "core/clock.h"
#include "core/log.h"
#include "core/said.h"
#include "deliver/policy.h"
#include "json/parse.h"
#include "net/client.h"
#include "outbox/queue.h"
#include "outbox/stored.h"
#include "webhooks/deliveries.h"
#include "webhooks/signature.h"
#include "webhooks/webhooks.h"

namespace tradepost::deliver {
namespace {

using outbox::Outcome;

// The first attempt of a message comes after the time that its age counts from, and the last one by up to the longest back-off before its end.
constexpr auto failed_for = outbox::tried_for - std::chrono::hours(2);

net::Answer post(const core::Config& config, const webhooks::Webhooks::Destination& to, const outbox::Delivery& delivery) {
    auto headers = webhooks::signed_headers(to.secrets, delivery.id.to_string(), core::SystemClock().now(), delivery.payload);
    headers.insert(headers.end(), {"Content-Type: application/json", "Expect:"});
    const auto& allowed = config.webhooks;
    return net::perform({net::Networks(allowed.allow_networks), allowed.tls_ca},
                        {.url = to.url, .headers = std::move(headers), .post = delivery.payload, .status_only = true});
}

void tell_admins(db::Connection& connection, core::Time now, const webhooks::Webhook& webhook) {
    std::vector<outbox::Message> letters;
    for (const auto& row :
         connection.query("SELECT u.id FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organisation_id "
                          "= ? AND m.role = 'ADMIN' AND u.disabled_at IS NULL",
                          {webhook.organisation_id})) {
        const auto user = row.uuid(0).to_string();
        letters.push_back({.kind = "mail webhook",
                           .target = "mail " + user,
                           .payload = json::dump(json::Json{{"webhookId", webhook.id.to_string()}, {"userId", user}}),
                           .organisation_id = webhook.organisation_id});
    }
    if (!letters.empty()) outbox::send(connection, now, letters);
}

}  // namespace

Outcome send_webhook(Sending& sending, const outbox::Delivery& delivery) {
    const auto id = webhooks::webhook_of(delivery.target);
    if (!id) return Outcome::dead("the target is no webhook");
    webhooks::Deliveries(sending.connection, *id).trim();
    webhooks::Webhooks webhooks(sending.connection);
    const auto to = webhooks.destination(*id);
    if (!to || !to->active) {
        outbox::drop(sending.connection, {.state = "waiting", .target = delivery.target});
        return Outcome::delivered("the webhook is switched off, or gone");
    }
    const auto answer = post(sending.config, *to, delivery);
    const auto verdict = judge(webhook_policy, answer);
    if (verdict == Verdict::taken) {
        // It has arrived, whether that can be noted now or after the next message.
        if (to->failing) try {
                webhooks.note_success(*id);
            } catch (const db::Error& error) {
                core::log::warning("deliver", {{"id", delivery.id.to_string()}, {"why", error.what()}});
            }
        return Outcome::delivered("ok", answer.status);
    }
    if (!to->failing) webhooks.note_failure(*id);
    if (!answer.failure.empty()) return Outcome::retry(answer.failure);
    const auto said = answer.said.empty() ? std::string() : std::string(core::it_said) + answer.said;
    if (verdict == Verdict::gone) return Outcome::dead("it answered that it is gone" + said, answer.status);
    return Outcome::retry(
        (answer.status / 100 == 3 ? "it answered a redirect, which is not followed" : "it answered an error") + said,
        answer.status, answer.retry_after);
}

Outcome send_webhook_twice(Sending& sending, const outbox::Delivery& delivery) {
    const auto first = send_webhook(sending, delivery);
    if (first.kind != Outcome::Kind::delivered || !first.status) return first;
    const auto second = send_webhook(sending, delivery);
    if (second.kind == Outcome::Kind::delivered) return Outcome::delivered("ok, twice", second.status);
    return Outcome::delivered("ok; the second time: " + second.result, second.status);
}

void give_up_webhook(db::Connection& connection, const outbox::Delivery& delivery) {
    const auto id = webhooks::webhook_of(delivery.target);
    if (!id) return;
    webhooks::Webhooks webhooks(connection);
    // The outcome is in the message's row already.
    const auto message = webhooks::Deliveries(connection, *id).find(delivery.id);
    const bool is_gone = message && message->status && judge(webhook_policy, int(*message->status)) == Verdict::gone;
    if (!is_gone && !webhooks.has_failed_for(*id, failed_for)) return;
    const auto webhook = webhooks.switch_off(*id, is_gone ? webhooks::gone : webhooks::failing);
    if (!webhook) return;
    const auto now = core::SystemClock().now();
    audit::record(connection, now,
                  {.event = audit::Event::webhook_disabled,
                   .target = webhook->id,
                   .organisation = webhook->organisation_id,
                   .detail = *webhook->disabled_reason});
    tell_admins(connection, now, *webhook);
}

}  // namespace tradepost::deliver
