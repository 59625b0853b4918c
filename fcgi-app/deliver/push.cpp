#include "deliver/push.h"

#include <nlohmann/json.hpp>

#include "core/base64.h"
#include "core/clock.h"
#include "core/crypto.h"
#include "core/present.h"
#include "core/said.h"
#include "deliver/policy.h"
#include "json/parse.h"
#include "net/client.h"
#include "push/encryption.h"
#include "push/subscription.h"
#include "push/vapid.h"
#include "webhooks/signature.h"

namespace tradepost::deliver {
namespace {

using outbox::Outcome;

// A device that is off for longer learns of the enquiry when somebody looks.
constexpr std::chrono::seconds lifetime = std::chrono::hours(24);
constexpr const char* urgency = "normal";

struct Told {
    std::string token, platform, message;
    std::string topic;  // a push service keeps one message of a topic for a device that is off
    std::chrono::seconds lives;
};

// Empty when nobody is to be told any more. What it says may stand on a locked screen, and so it names no sender.
std::optional<Told> read(db::Connection& connection, const core::Uuid& enquiry, const std::string& hash,
                         std::chrono::seconds age) {
    const auto rows = connection.query(
        "SELECT n.token, n.platform, e.organisation_id, e.type, e.target_title, e.created_at FROM notification_tokens n JOIN "
        "users u ON u.id = n.user_id AND u.disabled_at IS NULL JOIN memberships m ON m.user_id = n.user_id JOIN enquiries e ON "
        "e.organisation_id = m.organisation_id WHERE n.hash = UNHEX(?) AND e.id = ? AND e.status = 'NEW'",
        {hash, enquiry});
    if (rows.empty()) return {};
    const auto& row = rows[0];
    const auto title = row.opt_text(4);
    return Told{row.text(0), row.text(1),
                json::dump({{"type", "enquiry.created"},
                            {"timestamp", core::to_rfc3339(row.time(5))},
                            {"data",
                             {{"id", enquiry.to_string()},
                              {"organisationId", row.uuid(2).to_string()},
                              {"type", row.text(3)},
                              {"title", title ? json::Json(*title) : json::Json()}}}}),
                core::to_base64url(enquiry.bytes()), lifetime - age};
}

net::Answer send_to_browser(const core::PushConfig& config, const push::Subscription& to, const Told& told) {
    const auto key = push::Key::from_private(core::push_private_key(config));
    if (core::to_base64url(key.public_key()) != config.public_key)
        throw core::ConfigError(config.private_key_file + ": is not the key of [push] public_key");
    const auto authorization = push::vapid(key, to.origin, config.contact, core::SystemClock().now());
    return net::perform(
        {net::Networks(config.allow_networks), config.tls_ca},
        {.url = to.endpoint,
         .headers = {"Authorization: " + authorization, "TTL: " + std::to_string(told.lives.count()),
                     std::string("Urgency: ") + urgency, "Topic: " + told.topic, "Content-Encoding: aes128gcm",
                     "Content-Type: application/octet-stream", "Expect:"},
         .post = push::encrypt(told.message, to.public_key, to.auth, push::Key::generate(), core::random_bytes(push::salt_bytes)),
         .secrets = {authorization}});
}

// To a program of the operator's that hands messages on to the push services of telephones, which want the app's own keys. The operator
// named the address, so it may be any.
net::Answer send_to_relay(const core::PushConfig& config, const core::Uuid& id, const Told& told) {
    const auto body = json::dump({{"platform", told.platform},
                                  {"token", told.token},
                                  {"ttl", told.lives.count()},
                                  {"urgency", urgency},
                                  {"topic", told.topic},
                                  {"message", json::parse(told.message)}});
    const auto secret = core::relay_secret(config);
    auto headers = webhooks::signed_headers(std::span(&secret, 1), id.to_string(), core::SystemClock().now(), body);
    headers.insert(headers.end(), {"Content-Type: application/json", "Expect:"});
    return net::perform({net::Networks({"0.0.0.0/0", "::/0"}), config.tls_ca},
                        {.url = config.relay_url, .headers = std::move(headers), .post = body, .secrets = {told.token}});
}

Outcome outcome_of(db::Connection& connection, const std::string& hash, const net::Answer& answer) {
    const auto verdict = judge(push_policy, answer);
    if (!answer.failure.empty())
        return verdict == Verdict::later ? Outcome::retry(answer.failure) : Outcome::dead(answer.failure);
    const int status = answer.status;
    if (verdict == Verdict::taken) return Outcome::delivered("ok", status);
    if (verdict == Verdict::gone) {
        db::in_transaction(connection,
                           [&] { return connection.execute("DELETE FROM notification_tokens WHERE hash = UNHEX(?)", {hash}); });
        return Outcome::delivered("the token has ended, and is removed", status);
    }
    const auto said = answer.said.empty() ? std::string() : std::string(core::it_said) + answer.said;
    if (verdict == Verdict::refused) return Outcome::dead("it was refused" + said, status);
    return Outcome::retry("not taken now" + said, status, answer.retry_after);
}

}  // namespace

Outcome send_push(Sending& sending, const outbox::Delivery& delivery) {
    const auto payload = json::parse(delivery.payload);
    const auto id = core::present(core::Uuid::parse(payload.at("enquiryId").get<std::string>()));
    const auto hash = payload.at("tokenHash").get<std::string>();
    if (delivery.age >= lifetime) return Outcome::delivered("too late");
    const auto told = read(sending.connection, id, hash, delivery.age);
    if (!told) return Outcome::delivered("nobody is to be told any more");
    const auto& config = sending.config.push;
    if (told->platform != "WEB") {
        if (config.relay_url.empty()) return Outcome::delivered("there is no relay");
        return outcome_of(sending.connection, hash, send_to_relay(config, delivery.id, *told));
    }
    if (config.public_key.empty()) return Outcome::delivered("nothing is sent to browsers");
    push::Subscription subscription;
    try {
        subscription = push::parse_subscription(told->token);
    } catch (const std::invalid_argument&) {
        return Outcome::delivered("the token is no subscription");
    }
    return outcome_of(sending.connection, hash, send_to_browser(config, subscription, *told));
}

}  // namespace tradepost::deliver
