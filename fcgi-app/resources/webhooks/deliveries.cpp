#include "webhooks/deliveries.h"

#include "api/write.h"
#include "core/present.h"
#include "http/error.h"
#include "outbox/send.h"
#include "outbox/stored.h"
#include "resources/webhooks/handlers.h"
#include "resources/webhooks/own.h"
#include "webhooks/announce.h"
#include "webhooks/webhooks.h"

namespace tradepost::webhooks {
namespace {

void write(json::Writer& writer, const Delivery& delivery) {
    const bool delivered = delivery.state == "delivered", waiting = delivery.state == "waiting";
    writer.begin_object().member("id", delivery.id).member("type", delivery.type);
    writer.member("status", delivered ? "DELIVERED" : waiting ? "WAITING" : "FAILED");
    writer.member("attempts", std::int64_t(delivery.attempts)).member("createdAt", delivery.created_at);
    writer.member("attemptedAt", delivery.attempted_at).member("responseStatus", delivery.status);
    writer.member("error", delivered ? std::nullopt : delivery.result).end_object();
}

http::Response answer(const Delivery& delivery) {
    json::Writer writer;
    write(writer, delivery);
    return http::data(writer.text());
}

Webhook lock_active(const api::Call& call, writes::WriteTransaction& transaction) {
    auto webhook = lock_own(call, transaction);
    if (!webhook.active) throw http::conflict("the webhook is switched off");
    return webhook;
}

}  // namespace

http::Response list_deliveries(api::Call& call) {
    auto& connection = call.services.connection;
    const auto webhook = Webhooks(connection).find(administered(call), api::path_id(call));
    if (!webhook) throw http::not_found();
    Deliveries deliveries(connection, webhook->id);
    json::Writer writer;
    writer.begin_object().name("deliveries").begin_array();
    for (const auto& delivery : deliveries.latest()) write(writer, delivery);
    writer.end_array().member("waiting", deliveries.waiting()).end_object();
    return http::data(writer.text());
}

http::Response send_test(api::Call& call) {
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto webhook = lock_active(call, transaction);
        auto& connection = transaction.connection();
        const auto now = call.services.clock.now();
        const auto target = target_of(webhook.id);
        json::Writer data;
        data.begin_object().member("webhookId", webhook.id).member("organisationId", webhook.organisation_id).end_object();
        const auto id = outbox::send(connection, now,
                                     {.kind = "webhook",
                                      .target = target,
                                      .payload = body(test, now, data.text()),
                                      .organisation_id = webhook.organisation_id});
        outbox::hurry(connection, target);
        return answer(core::present(Deliveries(connection, webhook.id).find(id)));
    });
}

http::Response retry_delivery(api::Call& call) {
    const auto id = core::Uuid::parse(call.parameters[1]);
    if (!id) throw http::not_found();
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto webhook = lock_active(call, transaction);
        Deliveries deliveries(transaction.connection(), webhook.id);
        if (!deliveries.find(*id)) throw http::not_found();
        deliveries.retry(*id);
        return answer(core::present(deliveries.find(*id)));
    });
}

}  // namespace tradepost::webhooks
