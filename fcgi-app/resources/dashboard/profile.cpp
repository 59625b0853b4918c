// The user's own name and email: /dashboard/api/profile and /dashboard/api/email.
#include <nlohmann/json.hpp>

#include "api/route.h"
#include "api/write.h"
#include "audit/record.h"
#include "fields/json.h"
#include "http/error.h"
#include "identity/people/email_changes.h"
#include "identity/people/letter_limits.h"
#include "identity/people/users.h"
#include "json/parse.h"
#include "outbox/queue.h"
#include "resources/me/handlers.h"

namespace tradepost::dashboard {
namespace {

struct Profile {
    std::string name;
};

std::span<const fields::Field<Profile>> profile_fields() {
    static const fields::Field<Profile> fields[] = {{"name", fields::rules::name(120), &Profile::name}};
    return fields;
}

struct NewEmail {
    std::string email;
};

std::span<const fields::Field<NewEmail>> email_fields() {
    static const fields::Field<NewEmail> fields[] = {
        {"email", {fields::Kind::email, fields::Presence::required}, &NewEmail::email}};
    return fields;
}

http::Response user_response(api::Call& call, const identity::Principal& principal) {
    json::Writer writer;
    writer.begin_object();
    me::write_user(writer, call, principal);
    writer.end_object();
    return http::data(writer.text());
}

http::Response change_response(const std::optional<identity::EmailChange>& change) {
    json::Writer writer;
    writer.begin_object().member("newEmail", change ? std::optional(change->email) : std::nullopt);
    writer.member("expiresAt", change ? std::optional(change->expires_at) : std::nullopt).end_object();
    return http::data(writer.text());
}

// PATCH {name}: 200 with the user as in get_session().
http::Response change_profile(api::Call& call) {
    auto user = call.caller();
    Profile profile{user.name};
    fields::refuse_unknown(call.body(), profile_fields());
    fields::read_fields(call.body(), profile_fields(), profile, fields::Reading::change);
    if (profile.name != user.name) {
        const auto now = call.services.clock.now();
        auto& connection = call.services.connection;
        db::in_transaction(connection, [&] {
            identity::Users(connection).set_name(user.user_id, profile.name, now);
            audit::record(connection, now, {.event = audit::Event::name_changed, .user = user.user_id});
        });
        user.name = profile.name;
    }
    return user_response(call, user);
}

// The address that waits for the link in its letter, or nulls.
http::Response get_email_change(api::Call& call) {
    return change_response(
        identity::EmailChanges(call.services.connection).open(call.caller().user_id, call.services.clock.now()));
}

// POST {email}: 200 as get_email_change(), whoever has the address: what the letter to it says is decided by its sender. The old address gets a
// letter, too. 409 without a mail server.
http::Response begin_email_change(api::Call& call) {
    const auto& user = call.caller();
    fields::refuse_unknown(call.body(), email_fields());
    NewEmail asked;
    fields::read_fields(call.body(), email_fields(), asked, fields::Reading::create);
    if (!identity::has_storable_key(asked.email)) throw http::invalid_field("email", "must be an email address");
    if (asked.email == user.email) throw http::invalid_field("email", "must not be the old one");
    if (!call.services.config.mail.is_configured())
        throw http::conflict("this service sends no mail; ask whoever runs it for a change of your address");
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        auto& connection = transaction.connection();
        const auto now = call.services.clock.now();
        const auto change = identity::EmailChanges(connection).begin(user.user_id, asked.email, now);
        if (!change) throw http::conflict("too many changes of the address; wait an hour");
        if (const auto wait = identity::LetterLimits(connection).count(asked.email, {}, now))
            throw http::too_many_requests(*wait);
        const auto id = change->id.to_string(), whose = user.user_id.to_string();
        // Each with a target of its own: when one cannot be delivered, the other one does not wait for it.
        const outbox::Message letters[] = {
            {.kind = "mail email-change",
             .target = "email-change " + id,
             .payload = json::dump(json::Json{{"changeId", id}, {"userId", whose}})},
            {.kind = "mail email-warning",
             .target = "email-warning " + id,
             .payload = json::dump(json::Json{{"userId", whose}, {"email", user.email}, {"newEmail", asked.email}})},
        };
        outbox::send(connection, now, letters);
        return change_response(change);
    });
}

// 404 when no address waits.
http::Response withdraw_email_change(api::Call& call) {
    if (!identity::EmailChanges(call.services.connection).withdraw(call.caller().user_id, call.services.clock.now()))
        throw http::not_found();
    json::Writer writer;
    writer.begin_object().name("id").null().member("deleted", true).end_object();
    return http::data(writer.text());
}

// POST with the token of a letter: 200 with the user as in get_session(); 404 for one that is unknown, expired, used, or another user's.
http::Response finish_email_change(api::Call& call) {
    const auto result =
        identity::EmailChanges(call.services.connection).finish(call.session(), call.parameters[0], call.services.clock.now());
    if (const auto* fault = std::get_if<identity::EmailFault>(&result)) {
        if (*fault == identity::EmailFault::taken) throw http::conflict("another user has this address");
        throw http::not_found();
    }
    auto user = call.caller();
    user.email = std::get<std::string>(result);
    return user_response(call, user);
}

}  // namespace

// A change of the address counts as a sign-in with the one that the user has.
std::span<const api::Route> profile_routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"PATCH",  "/dashboard/api/profile",       change_profile,        {.access = Access::session, .body = json_body, .caller = identity::CallerDetail::memberships}},
        {"GET",    "/dashboard/api/email",         get_email_change,      {.access = Access::session, .pool = Pool::auth}},
        {"POST",   "/dashboard/api/email",         begin_email_change,    {.access = Access::session, .limit = RateClass::auth, .body = json_body, .pool = Pool::auth, .before_body = check_confirmed}},
        {"DELETE", "/dashboard/api/email",         withdraw_email_change, {.access = Access::session, .pool = Pool::auth}},
        {"POST",   "/dashboard/api/email/{token}", finish_email_change,   {.access = Access::session, .limit = RateClass::auth, .pool = Pool::auth, .caller = identity::CallerDetail::memberships}},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::dashboard
