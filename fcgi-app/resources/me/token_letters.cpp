#include "resources/me/token_letters.h"

#include <nlohmann/json.hpp>

#include "api/tokens.h"
#include "identity/tokens/tokens.h"
#include "json/parse.h"
#include "outbox/queue.h"
#include "webhooks/announce.h"
#include "webhooks/webhook.h"

namespace tradepost::me {
namespace {

// An integration has no email; the ADMINs of its one organisation read its letters.
void send_letters(db::Connection& connection, const core::Uuid& user_id, const core::Uuid& token_id, std::string_view why,
                  core::Time now) {
    std::vector<outbox::Message> letters;
    for (const auto& row : connection.query(
             "SELECT u.id FROM users u WHERE u.id = ? AND u.email IS NOT NULL AND u.disabled_at IS NULL UNION SELECT a.id FROM "
             "users i JOIN memberships m ON m.user_id = i.id JOIN memberships b ON b.organisation_id = m.organisation_id AND "
             "b.role = 'ADMIN' JOIN users a ON a.id = b.user_id AND a.disabled_at IS NULL WHERE i.id = ? AND i.email IS NULL",
             {user_id, user_id})) {
        const auto reader = row.uuid(0).to_string();
        letters.push_back({.kind = "mail token",
                           .target = "mail " + reader,
                           .payload = json::dump(
                               json::Json{{"tokenId", token_id.to_string()}, {"userId", reader}, {"why", std::string(why)}})});
    }
    if (!letters.empty()) outbox::send(connection, now, letters);
}

void tell_webhooks(db::Connection& connection, const identity::Token& token, core::Time now) {
    std::vector<webhooks::Happening> happenings;
    for (const auto& row :
         connection.query("SELECT m.organisation_id, u.name FROM memberships m JOIN users u ON u.id = m.user_id "
                          "WHERE m.user_id = ? ORDER BY m.organisation_id",
                          {token.user_id}))
        happenings.push_back(
            {row.uuid(0), now, webhooks::token_expiring, token.id, [&token, user = row.text(1)] {
                 json::Writer writer;
                 writer.begin_object();
                 api::write_token(writer, token);
                 writer.name("user").begin_object().member("id", token.user_id).member("name", user).end_object();
                 return writer.end_object().take();
             }});
    webhooks::announce(connection, webhooks::token_expiring, happenings);
}

// Without a lock.
std::vector<identity::Token> expiring(db::Connection& connection, core::Time now) {
    std::vector<identity::Token> tokens;
    for (const auto& row : connection.query(
             "SELECT id, user_id, name, created_at, expires_at, last_used_at, scopes FROM api_tokens FORCE INDEX "
             "(api_tokens_expiry) WHERE expires_at > ? AND expires_at <= ? AND revoked_at IS NULL AND last_used_at > ? AND "
             "expiry_notices < IF(expires_at <= ?, 2, 1) ORDER BY expires_at LIMIT 500",
             {now, now + identity::expiry_is_told, now - identity::expiry_is_told, now + identity::expiry_is_near})) {
        const auto scopes = row.opt_text(6);
        tokens.push_back({row.uuid(0),
                          row.uuid(1),
                          row.opt_text(2),
                          row.time(3),
                          row.time(4),
                          {},
                          row.opt_time(5),
                          scopes ? std::optional(identity::parse_scopes(*scopes)) : std::nullopt});
    }
    return tokens;
}

}  // namespace

bool revoke_leaked(db::Connection& connection, std::string_view plain, std::string_view how, core::Time now) {
    const auto hash = identity::token_hash(plain);
    const auto found = connection.query("SELECT id, user_id FROM api_tokens WHERE hash = ?", {db::Binary{hash}});
    if (found.empty()) return false;
    return db::in_transaction(connection, [&] {
        const auto id = found[0].uuid(0), user_id = found[0].uuid(1);
        const auto why = how == sent_in_clear ? "it was sent without encryption" : "it was sent in an address";
        if (!identity::revoke_within(connection, user_id, id, now, why)) return false;
        send_letters(connection, user_id, id, how, now);
        return true;
    });
}

std::uint64_t tell_of_expiring(db::Connection& connection, core::Time now) {
    std::uint64_t told = 0;
    for (;;) {
        const auto tokens = expiring(connection, now);
        for (const auto& token : tokens)
            told += db::in_transaction(connection, [&] {
                const bool near = token.expires_at <= now + identity::expiry_is_near;
                // Another process may have been first, and the token revoked.
                if (connection.execute("UPDATE api_tokens SET expiry_notices = ? WHERE id = ? AND revoked_at IS NULL AND "
                                       "expiry_notices < ?",
                                       {near ? 2 : 1, token.id, near ? 2 : 1}) == 0)
                    return 0;
                send_letters(connection, token.user_id, token.id, expires, now);
                tell_webhooks(connection, token, now);
                return 1;
            });
        if (tokens.size() < 500) return told;
    }
}

}  // namespace tradepost::me
