#include "resources/notification_tokens/handlers.h"

#include "api/route.h"
#include "api/write.h"
#include "core/crypto.h"
#include "core/hex.h"
#include "fields/json.h"
#include "json/writer.h"
#include "push/subscription.h"

namespace tradepost::notification_tokens {

void NotificationTokens::put(const core::Uuid& user_id, const NotificationToken& token, core::Time now) {
    const auto hash = core::sha256(token.token);
    // One registration of a user at a time, so that the number below is right.
    connection_.query("SELECT id FROM users WHERE id = ? FOR UPDATE", {user_id});
    connection_.execute(
        "INSERT INTO notification_tokens (hash, user_id, token, platform, device_name, created_at, updated_at) VALUES (?, ?, ?, "
        "?, ?, ?, ?) "
        "ON DUPLICATE KEY UPDATE user_id = VALUES(user_id), platform = VALUES(platform), device_name = VALUES(device_name), "
        "updated_at = VALUES(updated_at)",
        {db::Binary{hash}, user_id, token.token, token.platform, token.device_name, now, now});
    if (connection_.query("SELECT COUNT(*) FROM notification_tokens WHERE user_id = ?", {user_id}).at(0).integer(0) <= kept)
        return;
    // The server deletes from no table that a subquery reads, unless the subquery is a table of its own.
    connection_.execute(
        "DELETE FROM notification_tokens WHERE user_id = ? AND hash NOT IN (SELECT hash FROM (SELECT hash FROM "
        "notification_tokens "
        "WHERE user_id = ? ORDER BY hash = ? DESC, updated_at DESC, hash LIMIT ?) newest)",
        {user_id, user_id, db::Binary{hash}, kept});
}

bool NotificationTokens::remove(const core::Uuid& user_id, std::string_view hash) {
    return connection_.execute("DELETE FROM notification_tokens WHERE hash = ? AND user_id = ?", {db::Binary{hash}, user_id}) > 0;
}

namespace {
constexpr std::string_view platforms[] = {"IOS", "ANDROID", "WEB"};
}  // namespace

std::span<const fields::Field<NotificationToken>> notification_token_fields() {
    static const fields::Field<NotificationToken> fields[] = {
        {"token", fields::rules::exact(4096), &NotificationToken::token},
        {"platform", fields::rules::choice(platforms, fields::Presence::required), &NotificationToken::platform},
        {"deviceName", fields::rules::text(80), &NotificationToken::device_name},
    };
    return fields;
}

namespace {

// One browser has one row however its subscription is written. What is no object was always taken, and gets no messages.
void read_subscription(NotificationToken& token) {
    if (token.platform != "WEB" || !token.token.starts_with(push::subscription_begin)) return;
    try {
        token.token = push::to_text(push::parse_subscription(token.token));
    } catch (const std::invalid_argument& error) {
        throw http::invalid_field("token", error.what());
    }
}

}  // namespace

http::Response register_notification_token(api::Call& call) {
    const auto& body = call.body();
    NotificationToken token;
    fields::refuse_unknown(body, notification_token_fields());
    fields::read_fields(body, notification_token_fields(), token, fields::Reading::create);
    read_subscription(token);
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        NotificationTokens(transaction.connection()).put(call.caller().user_id, token, call.services.clock.now());
        return http::data(R"({"registered":true})");
    });
}

// The registration that was made last comes first. The tokens themselves are not shown; the id is the hash of a token, so that whoever has the
// token knows it.
http::Response list_notification_tokens(api::Call& call) {
    json::Writer writer;
    writer.begin_object().name("notificationTokens").begin_array();
    for (const auto& row : call.services.connection.query(
             "SELECT hash, platform, device_name, created_at, updated_at FROM notification_tokens FORCE INDEX "
             "(notification_tokens_user) WHERE user_id = ? ORDER BY updated_at DESC, hash",
             {call.caller().user_id}))
        writer.begin_object()
            .member("id", core::to_hex(row.text(0)))
            .member("platform", row.text(1))
            .member("deviceName", row.opt_text(2))
            .member("createdAt", row.time(3))
            .member("updatedAt", row.time(4))
            .end_object();
    writer.end_array().member("limit", std::int64_t(NotificationTokens::kept)).end_object();
    return http::data(writer.text());
}

// 404 for what is no hash of a token of the user.
http::Response remove_notification_token(api::Call& call) {
    const auto& id = call.parameters[0];
    const auto hash = core::from_hex(id);
    if (!hash || !NotificationTokens(call.services.connection).remove(call.caller().user_id, *hash)) throw http::not_found();
    json::Writer writer;
    writer.begin_object().member("id", id).member("deleted", true).end_object();
    return http::data(writer.text());
}

// The public key of the service, with which browsers subscribe.
http::Response get_key(api::Call& call) {
    const auto& key = call.services.config.push.public_key;
    json::Writer writer;
    writer.begin_object().member("publicKey", key.empty() ? std::nullopt : std::optional(key)).end_object();
    return http::data(writer.text());
}

std::span<const api::Route> routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"POST", "/api/v1/notification_tokens",     register_notification_token, {.limit = RateClass::exempt, .body = json_body}},  // by the specification, which the share of workers bounds
        {"GET",  "/api/v1/notification_tokens/key", get_key},
        {"GET",  "/api/v1/notification_tokens",     list_notification_tokens},
        {"DELETE", "/api/v1/notification_tokens/{id}", remove_notification_token},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::notification_tokens
