#include "resources/webhooks/handlers.h"

#include "api/write.h"
#include "audit/record.h"
#include "fields/json.h"
#include "http/error.h"
#include "resources/webhooks/own.h"
#include "webhooks/signature.h"
#include "webhooks/webhooks.h"

namespace tradepost::webhooks {
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
    const auto& session = call.caller().session;
    if (session && !session->is_confirmed(call.services.clock.now())) throw http::password_confirmation_required();
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
        api::check_if_match(call, render(before));
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
        api::check_if_match(call, render(webhook));
        Webhooks(transaction.connection()).remove(webhook.id);
        record(call, transaction, audit::Event::webhook_deleted, webhook);
        return api::deleted(webhook.id);
    });
}

http::Response rotate_secret(api::Call& call) {
    return with_secret(api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto webhook = lock_own(call, transaction);
        const auto secret = new_secret();
        Webhooks(transaction.connection()).rotate(webhook.id, secret, call.services.clock.now());
        record(call, transaction, audit::Event::webhook_secret_rotated, webhook);
        return http::data(render(webhook, secret));
    }));
}

}  // namespace tradepost::webhooks
