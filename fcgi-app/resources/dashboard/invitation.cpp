// Accepting an invitation with the link of its letter: /dashboard/api/invitation/{token}.
#include <openssl/crypto.h>

#include "api/route.h"
#include "api/write.h"
#include "audit/record.h"
#include "core/present.h"
#include "fields/json.h"
#include "http/error.h"
#include "identity/organisations/organisations.h"
#include "identity/passwords/password_rules.h"
#include "identity/passwords/passwords.h"
#include "identity/people/invitations.h"
#include "identity/people/members.h"
#include "identity/people/memberships.h"
#include "identity/people/users.h"
#include "resources/auth/credentials.h"
#include "writes/room.h"

namespace tradepost::dashboard {
namespace {

struct NewUser {
    ~NewUser() { OPENSSL_cleanse(password.data(), password.size()); }
    std::string name, password;
};

std::span<const fields::Field<NewUser>> new_user_fields() {
    using namespace fields;
    static const Field<NewUser> fields[] = {
        {"name", fields::rules::name(120), &NewUser::name},
        {"password", identity::new_password_rule, &NewUser::password},
    };
    return fields;
}

identity::Invitation find(api::Call& call) {
    const auto found = identity::Invitations(call.services.connection).find(call.parameters[0], call.services.clock.now());
    if (!found) throw http::not_found();
    return *found;
}

std::string render(api::Call& call, const identity::Invitation& invitation, bool account) {
    const auto organisation = core::present(identity::Organisations(call.services.connection).find(invitation.organisation_id));
    json::Writer writer;
    writer.begin_object().name("organisation").begin_object();
    writer.member("id", organisation.id).member("slug", organisation.slug).member("name", organisation.name).end_object();
    writer.member("email", invitation.email).member("role", identity::to_string(invitation.role));
    writer.member("expiresAt", invitation.expires_at).member("account", account).end_object();
    return writer.take();
}

http::Response answer(const std::string& json) {
    auto response = http::data(json);
    response.set("Cache-Control", "no-store");
    return response;
}

// The user who accepts: the session's, or one to be inserted.
identity::User accepting_user(api::Call& call, const identity::Invitation& invitation, core::Time now) {
    const bool signed_in = call.principal && call.principal->session;
    if (signed_in) {
        fields::refuse_unknown(call.body(), new_user_fields());
        const auto& caller = call.caller();
        if (identity::email_key(caller.email) != identity::email_key(invitation.email))
            throw http::conflict("the invitation is for another address than yours");
        return {caller.user_id, caller.email, caller.name, {}, {}, {}, {}};
    }
    if (identity::Users(call.services.connection).find_by_email(invitation.email))
        throw http::conflict("this address has an account; sign in to accept");
    auto& body = call.body();
    fields::refuse_unknown(body, new_user_fields());
    NewUser asked;
    fields::read_fields(body, new_user_fields(), asked, fields::Reading::create);
    auth::cleanse(body, "password");
    if (const auto fault = identity::password_fault(asked.password, invitation.email, asked.name))
        throw http::invalid_field("password", *fault);
    return {core::Uuid::v7(now),
            invitation.email,
            asked.name,
            identity::Passwords(call.services.config.auth).hash(asked.password),
            {},
            now,
            now};
}

// Returns the organisation of the invitation, and whether its address has an account. 404 for a token that is unknown, expired or used.
http::Response get_invitation(api::Call& call) {
    const auto invitation = find(call);
    const bool account = identity::Users(call.services.connection).find_by_email(invitation.email).has_value();
    return answer(render(call, invitation, account));
}

// POST {} by a session of the user with that address, or {name, password} for an address without an account: 200 with the organisation.
// 409 for the session of another user, or without a session when the address has an account.
http::Response accept_invitation(api::Call& call) {
    const auto now = call.services.clock.now();
    const auto invitation = find(call);
    const auto json = render(call, invitation, true);
    const auto user = accepting_user(call, invitation, now);
    api::change(call, [&](writes::WriteTransaction& transaction) {
        auto& connection = transaction.connection();
        const auto taken = identity::Invitations(connection).take(call.parameters[0], now);
        if (!taken) throw http::not_found();
        if (user.password_hash) {
            // Made meanwhile by another letter.
            if (identity::Users(connection).find_by_email(user.email))
                throw http::conflict("this address has an account; sign in to accept");
            identity::Users(connection).insert(user);
            audit::record(connection, now, {.event = audit::Event::user_added, .user = user.id, .detail = "by invitation"});
        }
        // Whoever became a member meanwhile keeps their role.
        if (!identity::Members(connection).lock(taken->organisation_id, user.id)) {
            identity::Memberships(connection).add(user.id, taken->organisation_id, taken->role, now);
            writes::check_room(transaction, call.services.config, writes::Things::members, taken->organisation_id);
        }
        return http::Response();
    });
    return answer(json);
}

}  // namespace

std::span<const api::Route> invitation_routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"GET",  "/dashboard/api/invitation/{token}", get_invitation,    {.access = Access::open, .pool = Pool::auth}},
        {"POST", "/dashboard/api/invitation/{token}", accept_invitation, {.access = Access::optional, .needs = Needs::nothing, .limit = RateClass::auth, .body = json_body, .pool = Pool::auth}},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::dashboard
