#include "api/accounts.h"

#include "api/write.h"
#include "http/error.h"
#include "json/fields.h"

namespace tradepost::api {
namespace {

// An import does not set it, so it is not among the others.
std::span<const domain::Field<domain::Organisation>> logo_fields() {
    static const domain::Field<domain::Organisation> fields[] = {
        {"logoUploadId", domain::rules::of(domain::Kind::id), &domain::Organisation::logo_upload_id},
        {"logoUrl", domain::rules::text(255), &domain::Organisation::logo_url, domain::Use::read_only},
    };
    return fields;
}

std::string render(const repo::Account& account) {
    const auto& organisation = account.organisation;
    json::Writer writer;
    writer.begin_object().member("id", organisation.id).member("slug", organisation.slug);
    json::write_fields(writer, domain::organisation_fields(), organisation, true);
    json::write_fields(writer, logo_fields(), organisation, true);
    writer.member("role", domain::to_string(account.role)).end_object();
    return writer.take();
}

// The one that the query names. No filter: an empty value is wrong and not absent.
std::optional<core::Uuid> asked(const Call& call) {
    const auto text = call.query.single("organisationId");
    if (!text) return {};
    const auto id = core::Uuid::parse(*text);
    if (!id) throw http::invalid_query("no UUID: organisationId");
    return id;
}

// The one that the query names, or the caller's only one.
repo::Account own_account(const Call& call) {
    auto own = call.services.organisations.of_member(call.principal->user_id, asked(call));
    if (own.empty()) throw http::not_found();
    if (own.size() > 1) throw http::organisation_required();
    return std::move(own[0]);
}

// What the body makes of `organisation`, which is locked. Throws 400 for the first field that is wrong.
void read(Call& call, domain::Organisation& organisation) {
    const auto& body = call.body();
    json::refuse_unknown(body, domain::organisation_fields(), {"id", "slug", "logoUploadId", "logoUrl", "role"});
    json::read_fields(body, domain::organisation_fields(), organisation, json::Reading::change);
    const auto before = organisation.logo_upload_id;
    json::read_fields(body, logo_fields(), organisation, json::Reading::change);
    const auto& after = organisation.logo_upload_id;
    if (after == before) return;

    std::vector<core::Uuid> both;
    for (const auto& upload : {before, after})
        if (upload) both.push_back(*upload);
    const auto images = call.services.changes.attachments().lock(organisation.id, both);
    organisation.logo_url.reset();
    if (!after) return;
    const auto image = images.find(*after);
    if (image == images.end()) throw http::invalid_field("logoUploadId", "must be a READY image of this organisation");
    organisation.logo_url = image->second.url;
}

bool same(const domain::Organisation& a, const domain::Organisation& b) {
    return domain::same_fields(domain::organisation_fields(), a, b) && a.logo_upload_id == b.logo_upload_id;
}

void store(Call& call, const domain::Organisation& before, const domain::Organisation& after) {
    const bool other_logo = after.logo_upload_id != before.logo_upload_id;
    auto attachments = call.services.changes.attachments();
    if (other_logo && after.logo_upload_id) attachments.attach(std::span(&*after.logo_upload_id, 1));
    if (other_logo && before.logo_upload_id) attachments.detach(std::span(&*before.logo_upload_id, 1), after.updated_at);
    call.services.changes.organisations().change(after, other_logo || after.name != before.name);
}

}  // namespace

http::Response get_account(Call& call) {
    return http::data(render(own_account(call)));
}

http::Response change_account(Call& call) {
    const auto named = asked(call);
    const auto id = named ? *named : own_account(call).organisation.id;
    return change(call, [&] {
        const auto before = call.services.changes.organisations().lock_for_member(call.principal->user_id, id);
        if (!before) throw http::not_found();
        if (before->role != domain::Role::admin) throw http::forbidden();

        auto after = *before;
        read(call, after.organisation);
        check_if_match(call, render(*before));
        if (same(after.organisation, before->organisation)) return current(render(*before));
        after.organisation.updated_at = next_update(call, before->organisation.updated_at);
        store(call, before->organisation, after.organisation);
        return current(render(after));
    });
}

}  // namespace tradepost::api
