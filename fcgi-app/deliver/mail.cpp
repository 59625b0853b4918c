#include "deliver/mail.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "audit/record.h"
#include "core/clock.h"
#include "core/present.h"
#include "identity/organisations/organisations.h"
#include "identity/people/invitations.h"
#include "identity/people/users.h"
#include "identity/sessions/password_resets.h"
#include "json/parse.h"
#include "mail/letters.h"
#include "mail/smtp.h"
#include "resources/me/token_letters.h"
#include "webhooks/webhooks.h"

namespace tradepost::deliver {
namespace {

// Each thread has a connection of its own to the server. After a failure it begins anew, with the password as it is then.
std::unique_ptr<mail::Smtp>& own_smtp() {
    thread_local std::unique_ptr<mail::Smtp> own;
    return own;
}

void send(const core::Config& config, const mail::Message& message) {
    auto& smtp = own_smtp();
    if (!smtp) smtp = std::make_unique<mail::Smtp>(config.mail);
    try {
        smtp->send(message, core::SystemClock().now());
    } catch (...) {
        smtp.reset();
        throw;
    }
}

}  // namespace

outbox::Outcome send_letter(Sending& sending, const outbox::Delivery& delivery, Letter letter) {
    const auto& config = sending.config;
    if (!config.mail.is_configured()) return outbox::Outcome::retry("set smtp and from of [mail]");
    letter.values["service"] = mail::service_name(config);
    try {
        auto texts = mail::templates_of(config.path).render(letter.name, letter.values);
        send(config, {.id = delivery.id,
                      .to = std::move(letter.to),
                      .reply_to = std::move(letter.reply_to),
                      .subject = std::move(texts.subject),
                      .text = std::move(texts.text),
                      .html = std::move(texts.html),
                      .unsubscribe_url = std::move(letter.unsubscribe_url)});
    } catch (const mail::SendError& error) {
        return error.permanent ? outbox::Outcome::dead(error.what()) : outbox::Outcome::retry(error.what());
    } catch (const mail::TemplateError& error) {
        return outbox::Outcome::retry(error.what());
    } catch (const core::ConfigError& error) {
        return outbox::Outcome::retry(error.what());
    }
    return outbox::Outcome::delivered("sent");
}

outbox::Outcome send_reset(Sending& sending, const outbox::Delivery& delivery) {
    if (!sending.config.mail.is_configured()) return outbox::Outcome::retry("set smtp and from of [mail]");
    const auto asked = json::parse(delivery.payload);
    const auto user = identity::Users(sending.connection).find_by_email(asked.at("email").get<std::string>());
    if (!user || user->disabled_at) return outbox::Outcome::delivered("no such user");
    const auto now = core::SystemClock().now();
    // A letter that could not be sent in time would say what is no longer so.
    const auto expires_at = delivery.created_at + identity::reset_lifetime;
    if (expires_at <= now) return outbox::Outcome::delivered("too late");

    identity::PasswordResets resets(sending.connection);
    const auto token = resets.begin(*user, now, expires_at);
    if (!token) return outbox::Outcome::delivered("this user has enough letters, or another address");
    auto outcome = send_letter(sending, delivery,
                               {.name = "reset",
                                .to = {user->name, user->email},
                                .values = {{"name", user->name},
                                           {"email", user->email},
                                           {"minutes", std::to_string(identity::reset_lifetime.count())},
                                           {"link", sending.config.http.base_url + "/dashboard/#/reset/" + *token}}});
    if (outcome.kind == outbox::Outcome::Kind::delivered)
        audit::record(sending.connection, core::SystemClock().now(),
                      {.event = audit::Event::letter_sent, .user = user->id, .detail = "reset"});
    else
        resets.withdraw(*token);  // the next attempt makes another one
    return outcome;
}

outbox::Outcome send_invitation(Sending& sending, const outbox::Delivery& delivery) {
    if (!sending.config.mail.is_configured()) return outbox::Outcome::retry("set smtp and from of [mail]");
    const auto id = core::present(core::Uuid::parse(json::parse(delivery.payload).at("invitationId").get<std::string>()));
    const auto letter = identity::Invitations(sending.connection).write_letter(id, core::SystemClock().now());
    if (!letter) return outbox::Outcome::delivered("withdrawn, or too late");
    auto outcome = send_letter(sending, delivery,
                               {.name = "invitation",
                                .to = {{}, letter->email},
                                .values = {{"inviter", letter->inviter},
                                           {"organisation", letter->organisation},
                                           {"email", letter->email},
                                           {"days", std::to_string(identity::invitation_lifetime.count())},
                                           {"link", sending.config.http.base_url + "/dashboard/#/invitation/" + letter->token}}});
    if (outcome.kind == outbox::Outcome::Kind::delivered)
        audit::record(
            sending.connection, core::SystemClock().now(),
            {.event = audit::Event::letter_sent, .target = id, .organisation = delivery.organisation_id, .detail = "invitation"});
    return outcome;
}

outbox::Outcome send_token_letter(Sending& sending, const outbox::Delivery& delivery) {
    if (!sending.config.mail.is_configured()) return outbox::Outcome::delivered("this service sends no mail");
    const auto told = json::parse(delivery.payload);
    const auto id = [&](const char* name) { return core::present(core::Uuid::parse(told.at(name).get<std::string>())); };
    const auto why = told.at("why").get<std::string>();
    const auto user = identity::Users(sending.connection).find(id("userId"));
    if (!user || user->disabled_at || user->email.empty()) return outbox::Outcome::delivered("no such user");
    const auto found = sending.connection.query(
        "SELECT t.name, t.expires_at, t.revoked_at, t.expiry_notices, u.name, t.user_id, (SELECT o.slug FROM memberships m JOIN "
        "organisations o ON o.id = m.organisation_id WHERE m.user_id = u.id LIMIT 1) FROM api_tokens t JOIN users u ON u.id = "
        "t.user_id WHERE t.id = ?",
        {id("tokenId")});
    if (found.empty()) return outbox::Outcome::delivered("the token is gone");
    const auto& row = found[0];
    const bool ends = why == me::expires, own = row.uuid(5) == user->id;
    if (ends && (row.opt_time(2) || row.time(1) <= core::SystemClock().now()))
        return outbox::Outcome::delivered("the token has ended");
    const auto& base = sending.config.http.base_url;
    return send_letter(sending, delivery,
                       {.name = ends ? "token-expires" : "token-revoked",
                        .to = {user->name, user->email},
                        .values = {{"name", user->name},
                                   {"token", row.opt_text(0).value_or("of a sign-in")},
                                   {"program", own ? json::Json() : json::Json(row.text(4))},
                                   {"ends", core::to_rfc3339(row.time(1)).substr(0, 10)},
                                   {"reason", why == me::sent_in_clear ? "without encryption, over http://"
                                                                       : "in an address, where servers and browsers keep it"},
                                   {"link", own ? base + "/dashboard/settings/tokens"
                                                : base + "/dashboard/o/" + row.opt_text(6).value_or("") + "/integrations"},
                                   {"docs", base + "/docs/guide"}}});
}

outbox::Outcome send_webhook_disabled(Sending& sending, const outbox::Delivery& delivery) {
    if (!sending.config.mail.is_configured()) return outbox::Outcome::delivered("this service sends no mail");
    const auto told = json::parse(delivery.payload);
    const auto id = [&](const char* name) { return core::present(core::Uuid::parse(told.at(name).get<std::string>())); };
    const auto user = identity::Users(sending.connection).find(id("userId"));
    if (!user || user->disabled_at || user->email.empty()) return outbox::Outcome::delivered("no such user");
    const auto webhook = webhooks::Webhooks(sending.connection).find(core::present(delivery.organisation_id), id("webhookId"));
    if (!webhook || !webhook->disabled_reason) return outbox::Outcome::delivered("it was switched on again, or is gone");
    const auto organisation = identity::Organisations(sending.connection).find(webhook->organisation_id);
    const bool gone = webhook->disabled_reason == webhooks::gone;
    return send_letter(
        sending, delivery,
        {.name = "webhook",
         .to = {user->name, user->email},
         .values = {{"name", user->name},
                    {"organisation", core::present(organisation).name},
                    {"url", webhook->url},
                    {"reason", gone ? "it answered 410 Gone" : "it failed for 3 days"},
                    {"link", sending.config.http.base_url + "/dashboard/o/" + core::present(organisation).slug + "/webhooks"}}});
}

}  // namespace tradepost::deliver
