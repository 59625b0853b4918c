#include "identity/members.h"

#include "api/write.h"
#include "core/present.h"
#include "db/conflict.h"
#include "fields/json.h"
#include "http/error.h"
#include "identity/memberships.h"
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

// What follows takes this member's role away.
void check_admin_remains(writes::WriteTransaction& transaction, const core::Uuid& organisation, const identity::Member& member) {
    if (member.role != identity::Role::admin) return;
    if (!identity::Members(transaction.connection()).has_other_admin(organisation, member.user_id))
        throw http::conflict("an organisation needs an ADMIN; make another member one first");
}

}  // namespace

http::Response list_members(api::Call& call) {
    json::Writer writer;
    writer.begin_object().name("members").begin_array();
    for (const auto& member : identity::Members(call.services.connection).of_organisation(own_role(call).first))
        write(writer, member);
    writer.end_array().end_object();
    return http::data(writer.text());
}

http::Response change_member(api::Call& call) {
    const auto organisation = own_role(call).first;
    const auto user = api::path_id(call);
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        if (lock_team(call, transaction, organisation) != identity::Role::admin) throw http::forbidden();
        auto member = lock_member(transaction, organisation, user);
        const auto& body = call.body();
        fields::refuse_unknown(body, change_fields(), {"userId", "name", "email", "createdAt"});
        Change change{std::string(identity::to_string(member.role))};
        fields::read_fields(body, change_fields(), change, fields::Reading::change);
        api::check_if_match(call, render(member));

        const auto role = core::present(identity::parse_role(change.role));
        if (role != identity::Role::admin) check_admin_remains(transaction, organisation, member);
        identity::Memberships(transaction.connection()).add(user, organisation, role, call.services.clock.now());
        member.role = role;
        return api::current(render(member));
    });
}

http::Response remove_member(api::Call& call) {
    const auto organisation = own_role(call).first;
    const auto user = api::path_id(call);
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto role = lock_team(call, transaction, organisation);
        if (role != identity::Role::admin && user != call.caller().user_id) throw http::forbidden();
        const auto member = lock_member(transaction, organisation, user);
        api::check_if_match(call, render(member));
        check_admin_remains(transaction, organisation, member);
        identity::Memberships(transaction.connection()).remove(user, organisation, call.services.clock.now());
        return api::deleted(user);
    });
}

}  // namespace tradepost::accounts
