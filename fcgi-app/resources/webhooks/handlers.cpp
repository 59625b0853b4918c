#include "resources/webhooks/handlers.h"

#include "api/route.h"
#include "api/write.h"
#include "audit/record.h"
#include "core/present.h"
#include "db/failure.h"
#include "fields/json.h"
#include "http/error.h"
#include "outbox/queue.h"
#include "outbox/stored.h"
#include "webhooks/announce.h"
#include "webhooks/deliveries.h"
#include "webhooks/signature.h"
#include "webhooks/webhooks.h"
#include "writes/ownership.h"

namespace tradepost::webhooks {

core::Uuid administered(const api::Call& call) {
    const auto id = api::queried_organisation(call);
    if (call.caller().roles.at(id) != identity::Role::admin) throw http::forbidden();
    return id;
}

core::Uuid lock_administered(const api::Call& call, writes::WriteTransaction& transaction) {
    const auto id = api::queried_organisation(call);
    auto& connection = transaction.connection();
    const auto own = writes::Ownership(connection).of_user(call.caller().user_id, id, writes::Hold::exclusive);
    if (own.empty()) throw http::not_found();
    if (own[0].role != identity::Role::admin) throw http::forbidden();
    db::conflict_on(connection, std::span(&id, 1));
    return id;
}

Webhook lock_own(const api::Call& call, writes::WriteTransaction& transaction) {
    const auto organisation = lock_administered(call, transaction);
    auto webhook = Webhooks(transaction.connection()).lock(organisation, api::path_id(call));
    if (!webhook) throw http::not_found();
    return std::move(*webhook);
}

namespace {

void write_members(json::Writer& writer, const Webhook& webhook) {
    writer.member("id", webhook.id).member("organisationId", webhook.organisation_id);
    fields::write_fields(writer, webhook_fields(), webhook, true);
}

std::string render(const Webhook& webhook, std::string_view secret = {}) {
    json::Writer writer;
    writer.begin_object();
    write_members(writer, webhook);
    if (!secret.empty()) writer.member("secret", secret_text(secret));
    writer.end_object();
    return writer.take();
}

void read(const json::Json& body, Webhook& webhook, fields::Reading reading) {
    // What answers show and nobody sets, so that they can be sent back.
    fields::refuse_unknown(body, webhook_fields(), {"id", "organisationId", "secret"});
    fields::read_fields(body, webhook_fields(), webhook, reading);
    if (const auto found = fault(webhook)) throw http::invalid_field(std::string(found->field), found->why);
}

void record(api::Call& call, writes::WriteTransaction& transaction, audit::Event event, const Webhook& webhook) {
    audit::record(transaction.connection(), call.services.clock.now(),
                  {.event = event, .target = webhook.id, .organisation = webhook.organisation_id});
}

// As a token, it stands in no cache.
http::Response with_secret(http::Response response) {
    response.set("Cache-Control", "no-store");
    return response;
}

}  // namespace

// What is sent outlives the session, as a token does.
void check_may_send(api::Call& call) {
    (void)administered(call);
    api::check_confirmed(call);
}

http::Response list_webhooks(api::Call& call) {
    json::Writer writer;
    writer.begin_object().name("webhooks").begin_array();
    for (const auto& webhook : Webhooks(call.services.connection).of_organisation(administered(call))) {
        writer.begin_object();
        write_members(writer, webhook);
        writer.end_object();
    }
    writer.end_array().member("limit", most_of_organisation).end_object();
    return http::data(writer.text());
}

http::Response get_webhook(api::Call& call) {
    const auto webhook = Webhooks(call.services.connection).find(administered(call), api::path_id(call));
    if (!webhook) throw http::not_found();
    return http::data(render(*webhook));
}

// 201 with the secret, which no other answer shows again. 409 when the organisation has most_of_organisation.
http::Response create_webhook(api::Call& call) {
    return with_secret(api::create(call, [&](writes::WriteTransaction& transaction) {
        const auto organisation = lock_administered(call, transaction);
        Webhook webhook;
        read(call.body(), webhook, fields::Reading::create);
        Webhooks webhooks(transaction.connection());
        if (webhooks.of_organisation(organisation).size() >= most_of_organisation)
            throw http::conflict("an organisation has at most " + std::to_string(most_of_organisation) + " webhooks");
        webhook.created_at = webhook.updated_at = call.services.clock.now();
        webhook.id = core::Uuid::v7(webhook.created_at);
        webhook.organisation_id = organisation;
        const auto secret = new_secret();
        webhooks.insert(webhook, secret);
        record(call, transaction, audit::Event::webhook_created, webhook);
        auto response = http::data(render(webhook, secret), 201);
        response.set("Location", "/api/v1/webhooks/" + webhook.id.to_string() + "?organisationId=" + organisation.to_string());
        return response;
    }));
}

http::Response change_webhook(api::Call& call) {
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto before = lock_own(call, transaction);
        auto webhook = before;
        read(call.body(), webhook, fields::Reading::change);
        api::check_preconditions(call, render(before));
        if (fields::same_fields(webhook_fields(), webhook, before)) return api::current(render(before));
        webhook.updated_at = api::next_update(call, before.updated_at);
        // What was wrong may be mended.
        if (webhook.url != before.url || webhook.active != before.active) webhook.failing_since.reset();
        if (webhook.active) webhook.disabled_reason.reset();
        Webhooks(transaction.connection()).update(webhook);
        record(call, transaction, audit::Event::webhook_changed, webhook);
        return api::current(render(webhook));
    });
}

http::Response delete_webhook(api::Call& call) {
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto webhook = lock_own(call, transaction);
        api::check_preconditions(call, render(webhook));
        Webhooks(transaction.connection()).remove(webhook.id);
        record(call, transaction, audit::Event::webhook_deleted, webhook);
        return api::deleted(webhook.id);
    });
}

// 200 with a new secret, beside which the old one goes on signing for old_secrets_sign.
http::Response rotate_secret(api::Call& call) {
    return with_secret(api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto webhook = lock_own(call, transaction);
        const auto secret = new_secret();
        Webhooks(transaction.connection()).rotate(webhook.id, secret, call.services.clock.now());
        record(call, transaction, audit::Event::webhook_secret_rotated, webhook);
        return http::data(render(webhook, secret));
    }));
}

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

// Sends a message that says nothing but that it arrives. 409 when the webhook is switched off.
http::Response send_test(api::Call& call) {
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto webhook = lock_active(call, transaction);
        auto& connection = transaction.connection();
        const auto now = call.services.clock.now();
        const auto target = target_of(webhook.id);
        json::Writer data;
        data.begin_object().member("webhookId", webhook.id).member("organisationId", webhook.organisation_id).end_object();
        const auto id = outbox::send(connection, now,
                                     {.kind = kind_now(),
                                      .target = target,
                                      .payload = body(test, now, data.text()),
                                      .organisation_id = webhook.organisation_id,
                                      .not_before = not_before(now)});
        outbox::hurry(connection, target);
        return answer(core::present(Deliveries(connection, webhook.id).find(id)));
    });
}

// Sends a message once more. 409 when the webhook is switched off.
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

std::span<const api::Route> routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"GET",    "/api/v1/webhooks",                                    list_webhooks},
        {"POST",   "/api/v1/webhooks",                                    create_webhook,  {.body = json_body, .parameters = organisation_parameter, .before_body = check_may_send}},
        {"GET",    "/api/v1/webhooks/{id}",                               get_webhook},
        {"PATCH",  "/api/v1/webhooks/{id}",                               change_webhook,  {.body = json_body, .parameters = organisation_parameter, .is_tagged = true, .before_body = check_may_send}},
        {"DELETE", "/api/v1/webhooks/{id}",                               delete_webhook,  {.parameters = organisation_parameter, .is_tagged = true}},
        {"POST",   "/api/v1/webhooks/{id}/secret",                        rotate_secret,   {.parameters = organisation_parameter, .before_body = check_may_send}},
        {"POST",   "/api/v1/webhooks/{id}/test",                          send_test,       {.parameters = organisation_parameter}},
        {"GET",    "/api/v1/webhooks/{id}/deliveries",                    list_deliveries},
        {"POST",   "/api/v1/webhooks/{id}/deliveries/{deliveryId}/retry", retry_delivery,  {.parameters = organisation_parameter}},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::webhooks
