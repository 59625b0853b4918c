#include "resources/accounts/handlers.h"

#include "api/route.h"
#include "api/write.h"
#include "db/failure.h"
#include "fields/json.h"
#include "http/error.h"
#include "identity/organisations/organisations.h"
#include "resources/accounts/publication.h"
#include "resources/uploads/attachments.h"
#include "resources/uploads/upload.h"

namespace tradepost::accounts {
namespace {

// Apart from the other fields, because an import does not set the logo.
std::span<const fields::Field<identity::Organisation>> logo_fields() {
    static const fields::Field<identity::Organisation> fields[] = {
        {"logoUploadId", fields::rules::of(fields::Kind::id), &identity::Organisation::logo_upload_id},
        {"logoUrl", fields::rules::text(255), &identity::Organisation::logo_url, fields::Use::read_only},
    };
    return fields;
}

std::string render(const identity::Account& account) {
    const auto& organisation = account.organisation;
    json::Writer writer;
    writer.begin_object().member("id", organisation.id).member("slug", organisation.slug);
    fields::write_fields(writer, identity::organisation_fields(), organisation, true);
    fields::write_fields(writer, logo_fields(), organisation, true);
    writer.member("role", identity::to_string(account.role)).end_object();
    return writer.take();
}

// The organisationId of the query. An empty value is not absent but wrong.
std::optional<core::Uuid> named_organisation(const api::Call& call) {
    const auto text = call.query.single("organisationId");
    if (!text) return {};
    const auto id = core::Uuid::parse(*text);
    if (!id) throw http::invalid_query("organisationId", "must be a UUID");
    return id;
}

// The account that the query names, or the caller's only one.
identity::Account own_account(const api::Call& call) {
    auto own = identity::Organisations(call.services.connection).of_member(call.caller().user_id, named_organisation(call));
    if (own.empty()) throw http::not_found();
    if (own.size() > 1) throw http::organisation_required();
    return std::move(own[0]);
}

// Reads the body's fields into `organisation`, which is locked. Throws 400 for the first invalid field.
void read(api::Call& call, writes::WriteTransaction& transaction, identity::Organisation& organisation) {
    const auto& body = call.body();
    fields::refuse_unknown(body, identity::organisation_fields(), {"id", "slug", "logoUploadId", "logoUrl", "role"});
    fields::read_fields(body, identity::organisation_fields(), organisation, fields::Reading::change);
    const auto before = organisation.logo_upload_id;
    fields::read_fields(body, logo_fields(), organisation, fields::Reading::change);
    const auto& after = organisation.logo_upload_id;
    if (after == before) return;

    std::vector<core::Uuid> both;
    for (const auto& upload : {before, after})
        if (upload) both.push_back(*upload);
    const auto usable = uploads::Attachments(transaction.connection()).lock(organisation.id, both);
    organisation.logo_url.reset();
    if (!after) return;
    const auto image = usable.find(*after);
    if (image == usable.end() || !uploads::is_image(image->second.content_type))
        throw http::invalid_field("logoUploadId", "must be a READY image of this organisation");
    organisation.logo_url = uploads::upload_url(image->second.content_hash, image->second.content_type);
}

bool same(const identity::Organisation& a, const identity::Organisation& b) {
    return fields::same_fields(identity::organisation_fields(), a, b) && a.logo_upload_id == b.logo_upload_id;
}

void store(writes::WriteTransaction& transaction, const identity::Organisation& before, const identity::Organisation& after) {
    const bool other_logo = after.logo_upload_id != before.logo_upload_id;
    uploads::Attachments attachments(transaction.connection());
    if (other_logo && after.logo_upload_id) attachments.attach(std::span(&*after.logo_upload_id, 1));
    if (other_logo && before.logo_upload_id) attachments.detach(std::span(&*before.logo_upload_id, 1), after.updated_at);
    change_organisation(transaction, before, after);
}

}  // namespace

std::pair<core::Uuid, identity::Role> own_role(const api::Call& call) {
    const auto& roles = call.caller().roles;
    const auto id = named_organisation(call);
    const auto found = id ? roles.find(*id) : roles.begin();
    if (found == roles.end()) throw http::not_found();
    if (!id && roles.size() > 1) throw http::organisation_required();
    return *found;
}

http::Response get_account(api::Call& call) {
    return http::data(render(own_account(call)));
}

void check_admin(api::Call& call) {
    if (own_role(call).second != identity::Role::admin) throw http::forbidden();
}

void check_may_grant(api::Call& call) {
    check_admin(call);
    api::check_confirmed(call);
}

void lock_as_admin(api::Call& call, writes::WriteTransaction& transaction, const core::Uuid& organisation) {
    const auto own =
        writes::Ownership(transaction.connection()).of_user(call.caller().user_id, organisation, writes::Hold::exclusive);
    if (own.empty()) throw http::not_found();
    if (own[0].role != identity::Role::admin) throw http::forbidden();
    db::conflict_on(transaction.connection(), std::span(&organisation, 1));
}

http::Response change_account(api::Call& call) {
    const auto id = own_role(call).first;
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        // The role may have changed since check_admin(); from here on it is locked.
        const auto before = identity::Organisations(transaction.connection()).lock_for_member(call.caller().user_id, id);
        if (!before) throw http::not_found();
        if (before->role != identity::Role::admin) throw http::forbidden();

        auto after = *before;
        read(call, transaction, after.organisation);
        api::check_preconditions(call, render(*before));
        if (same(after.organisation, before->organisation)) return api::current(render(*before));
        after.organisation.updated_at = api::next_update(call, before->organisation.updated_at);
        store(transaction, before->organisation, after.organisation);
        return api::current(render(after));
    });
}

std::span<const api::Route> routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"GET",   "/api/v1/accounts", get_account,    {.needs = identity::Scope::account_read}},
        {"PATCH", "/api/v1/accounts", change_account, {.needs = identity::Scope::account_write, .limit = RateClass::exempt, .body = json_body, .parameters = organisation_parameter, .is_tagged = true, .before_body = check_admin}},  // by the specification, which the share of workers bounds
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::accounts
