#include "identity/people/members.h"

#include "api/route.h"
#include "api/write.h"
#include "core/present.h"
#include "db/failure.h"
#include "fields/json.h"
#include "http/error.h"
#include "identity/people/memberships.h"
#include "resources/accounts/handlers.h"

namespace tradepost::accounts {
namespace {

struct Change {
    std::string role;
};

std::span<const fields::Field<Change>> change_fields() {
    static constexpr std::string_view roles[] = {"ADMIN", "MEMBER"};
    static const fields::Field<Change> fields[] = {
        {"role", fields::rules::choice(roles, fields::Presence::required), &Change::role}};
    return fields;
}

void write(json::Writer& writer, const identity::Member& member) {
    writer.begin_object().member("userId", member.user_id).member("name", member.name).member("email", member.email);
    writer.member("role", identity::to_string(member.role)).member("createdAt", member.created_at).end_object();
}

std::string render(const identity::Member& member) {
    json::Writer writer;
    write(writer, member);
    return writer.take();
}

// The caller's role, which stays as it is until the transaction ends, as do all others in this organisation.
identity::Role lock_team(api::Call& call, writes::WriteTransaction& transaction, const core::Uuid& organisation) {
    const auto own =
        writes::Ownership(transaction.connection()).of_user(call.caller().user_id, organisation, writes::Hold::exclusive);
    if (own.empty()) throw http::not_found();
    db::conflict_on(transaction.connection(), std::span(&organisation, 1));
    return own[0].role;
}

identity::Member lock_member(writes::WriteTransaction& transaction, const core::Uuid& organisation, const core::Uuid& user) {
    const auto member = identity::Members(transaction.connection()).lock(organisation, user);
    if (!member) throw http::not_found();
    return *member;
}

// What the query says of tokens of integrations that the member created. Without it they stay.
identity::IntegrationTokens asked_tokens(const api::Call& call) {
    const bool revoke = call.query.is_second("revokeIntegrationTokens", "false", "true");
    return revoke ? identity::IntegrationTokens::revoke : identity::IntegrationTokens::keep;
}

// What follows takes this member's role away.
void check_admin_remains(writes::WriteTransaction& transaction, const core::Uuid& organisation, const identity::Member& member) {
    if (member.role != identity::Role::admin) return;
    if (!identity::Members(transaction.connection()).has_other_admin(organisation, member.user_id))
        throw http::conflict("an organisation needs an ADMIN; make another member one first");
}

// The organisation's members by name, for any of them.
http::Response list_members(api::Call& call) {
    json::Writer writer;
    writer.begin_object().name("members").begin_array();
    for (const auto& member : identity::Members(call.services.connection).of_organisation(own_role(call).first))
        write(writer, member);
    writer.end_array().end_object();
    return http::data(writer.text());
}

// PATCH {role} by an ADMIN: 200 with the member. 409 when no ADMIN would be left.
http::Response change_member(api::Call& call) {
    const auto organisation = own_role(call).first;
    const auto user = api::path_id(call);
    const auto tokens = asked_tokens(call);
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        if (lock_team(call, transaction, organisation) != identity::Role::admin) throw http::forbidden();
        auto member = lock_member(transaction, organisation, user);
        const auto& body = call.body();
        fields::refuse_unknown(body, change_fields(), {"userId", "name", "email", "createdAt"});
        Change change{std::string(identity::to_string(member.role))};
        fields::read_fields(body, change_fields(), change, fields::Reading::change);
        api::check_preconditions(call, render(member));

        const auto role = core::present(identity::parse_role(change.role));
        if (role != identity::Role::admin) check_admin_remains(transaction, organisation, member);
        identity::Memberships(transaction.connection()).add(user, organisation, role, call.services.clock.now(), tokens);
        member.role = role;
        return api::current(render(member));
    });
}

// An ADMIN removes anybody, a member only themselves. 409 when no ADMIN would be left.
http::Response remove_member(api::Call& call) {
    const auto organisation = own_role(call).first;
    const auto user = api::path_id(call);
    const auto tokens = asked_tokens(call);
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto role = lock_team(call, transaction, organisation);
        if (role != identity::Role::admin && (user != call.caller().user_id || tokens == identity::IntegrationTokens::revoke))
            throw http::forbidden();
        const auto member = lock_member(transaction, organisation, user);
        api::check_preconditions(call, render(member));
        check_admin_remains(transaction, organisation, member);
        identity::Memberships(transaction.connection()).remove(user, organisation, call.services.clock.now(), tokens);
        return api::deleted(user);
    });
}

}  // namespace

std::span<const api::Route> member_routes() {
    using namespace api;
    static constexpr std::string_view parameters_of_members[] = {"organisationId", "revokeIntegrationTokens"};
    // clang-format off
    static const Route table[] = {
        {"GET",    "/api/v1/accounts/members",          list_members,  {.needs = identity::Scope::account_read}},
        {"PATCH",  "/api/v1/accounts/members/{userId}", change_member, {.body = json_body, .parameters = parameters_of_members, .is_tagged = true, .before_body = check_may_grant}},
        {"DELETE", "/api/v1/accounts/members/{userId}", remove_member, {.parameters = parameters_of_members, .is_tagged = true}},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::accounts
