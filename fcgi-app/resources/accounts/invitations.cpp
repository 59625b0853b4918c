// Invitations of people to an organisation: /api/v1/accounts/invitations.
#include "identity/people/invitations.h"

#include <nlohmann/json.hpp>

#include "api/route.h"
#include "api/write.h"
#include "core/present.h"
#include "fields/json.h"
#include "http/error.h"
#include "identity/organisations/organisations.h"
#include "identity/people/letter_limits.h"
#include "identity/people/members.h"
#include "identity/people/users.h"
#include "json/parse.h"
#include "outbox/queue.h"
#include "resources/accounts/handlers.h"
#include "writes/room.h"

namespace tradepost::accounts {
namespace {

struct AskedInvitation {
    std::string email, role;
};

std::span<const fields::Field<AskedInvitation>> invitation_fields() {
    static constexpr std::string_view roles[] = {"ADMIN", "MEMBER"};
    static const fields::Field<AskedInvitation> fields[] = {
        {"email", {fields::Kind::email, fields::Presence::required}, &AskedInvitation::email},
        {"role", fields::rules::choice(roles, fields::Presence::required), &AskedInvitation::role},
    };
    return fields;
}

void write(json::Writer& writer, const identity::Invitation& invitation) {
    writer.begin_object().member("id", invitation.id).member("email", invitation.email);
    writer.member("role", identity::to_string(invitation.role)).member("createdAt", invitation.created_at);
    writer.member("expiresAt", invitation.expires_at).end_object();
}

// For ADMINs: those that are open, the newest first.
http::Response list_invitations(api::Call& call) {
    check_admin(call);
    json::Writer writer;
    writer.begin_object().name("invitations").begin_array();
    for (const auto& invitation :
         identity::Invitations(call.services.connection).of_organisation(own_role(call).first, call.services.clock.now()))
        write(writer, invitation);
    writer.end_array().end_object();
    return http::data(writer.text());
}

// POST {email, role} by an ADMIN: 201, and a letter goes out. An address that is invited already gets another letter, and the role.
http::Response create_invitation(api::Call& call) {
    const auto organisation = own_role(call).first;
    const auto now = call.services.clock.now();
    return api::create(call, [&](writes::WriteTransaction& transaction) {
        fields::refuse_unknown(call.body(), invitation_fields());
        AskedInvitation asked;
        fields::read_fields(call.body(), invitation_fields(), asked, fields::Reading::create);
        if (!identity::has_storable_key(asked.email)) throw http::invalid_field("email", "must be an email address");
        if (!call.services.config.mail.is_configured())
            throw http::conflict("this service sends no mail; ask whoever runs it to add members");
        auto& connection = transaction.connection();
        lock_as_admin(call, transaction, organisation);
        if (core::present(identity::Organisations(connection).find(organisation)).test)
            throw http::conflict("a test organisation writes to its members only; ask whoever runs this service to add members");
        const auto user = identity::Users(connection).find_by_email(asked.email);
        if (user && identity::Members(connection).lock(organisation, user->id))
            throw http::conflict("whoever has this address is a member already");
        writes::check_room(transaction, call.services.config, writes::Things::members, organisation, 1);
        const auto stored = identity::Invitations(connection)
                                .put({core::Uuid::v7(now), organisation, asked.email,
                                      core::present(identity::parse_role(asked.role)), now, now + identity::invitation_lifetime},
                                     call.caller().user_id);
        if (!stored) throw http::conflict("too many open invitations; withdraw some first");
        if (const auto wait = identity::LetterLimits(connection).count(asked.email, organisation, now))
            throw http::too_many_requests(*wait);
        const auto id = stored->id.to_string();
        outbox::send(connection, now,
                     {.kind = "mail invitation",
                      .target = "invitation " + id,
                      .payload = json::dump(json::Json{{"invitationId", id}}),
                      .organisation_id = organisation});
        json::Writer writer;
        write(writer, *stored);
        auto response = http::data(writer.text(), 201);
        response.set("Location", "/api/v1/accounts/invitations/" + id);
        return response;
    });
}

// Its link no longer works.
http::Response withdraw_invitation(api::Call& call) {
    const auto organisation = own_role(call).first;
    const auto id = api::path_id(call);
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        lock_as_admin(call, transaction, organisation);
        if (!identity::Invitations(transaction.connection()).remove(organisation, id)) throw http::not_found();
        return api::deleted(id);
    });
}

}  // namespace

std::span<const api::Route> invitation_routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"GET",    "/api/v1/accounts/invitations",      list_invitations},
        {"POST",   "/api/v1/accounts/invitations",      create_invitation,   {.body = json_body, .parameters = organisation_parameter, .before_body = check_may_grant}},
        {"DELETE", "/api/v1/accounts/invitations/{id}", withdraw_invitation, {.parameters = organisation_parameter, .before_body = check_admin}},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::accounts
