#include "api/write.h"

#include <algorithm>

#include "core/crypto.h"
#include "http/conditional.h"
#include "http/error.h"

namespace tradepost::api {
namespace {

// 1–255 visible ASCII characters.
void check_key(std::string_view key) {
    const bool visible = std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c < '\x7f'; });
    if (key.empty() || key.size() > 255 || !visible) throw http::invalid_field("Idempotency-Key", "must be 1 to 255 visible ASCII characters");
}

// Equal JSON is the same request, whatever its spaces and the order of its names.
std::string request_hash(Call& call) {
    return core::sha256(call.request.method + " " + std::string(call.request.raw_path()) + "\n" + call.body().dump());
}

http::Response again(const repo::KeptAnswer& kept) {
    http::Response response;
    response.status = kept.status;
    response.body = kept.body;
    const auto headers = json::Json::parse(kept.headers);
    for (const auto& [name, value] : headers.items()) response.set(name, value.get<std::string>());
    return response;
}

repo::KeptAnswer kept(const http::Response& response) {
    auto headers = json::Json::object();
    for (const auto& [name, value] : response.headers) headers[name] = value;
    return {response.status, headers.dump(), response.body};
}

}  // namespace

void write_organisation(json::Writer& writer, const domain::OrganisationSummary& organisation) {
    writer.begin_object().member("id", organisation.id).member("slug", organisation.slug).member("name", organisation.name);
    writer.member("logoUrl", organisation.logo_url).end_object();
}

http::Response create(Call& call, const std::function<http::Response()>& work) {
    const auto key = call.request.header("idempotency-key");
    if (!key) return change(call, work);
    const auto hash = request_hash(call);
    check_key(*key);
    return change(call, [&] {
        auto keys = call.services.changes.idempotency_key(call.principal->user_id, *key, hash);
        try {
            if (const auto answer = keys.begin(call.services.clock.now())) return again(*answer);
        } catch (const repo::IdempotencyKeys::OtherRequest&) {
            throw http::key_of_another_request();
        }
        const auto response = work();
        keys.finish(kept(response));
        return response;
    });
}

http::Response change(Call& call, const std::function<http::Response()>& work) { return call.services.changes.run(work); }

core::Uuid path_id(const Call& call) {
    const auto id = core::Uuid::parse(call.parameters[0]);
    if (!id) throw http::not_found();
    return *id;
}

namespace {

// What the body's `organisationId` names.
std::optional<core::Uuid> asked_organisation(Call& call) {
    const auto named = call.body().find("organisationId");
    if (named == call.body().end() || named->is_null()) return {};
    if (!named->is_string()) throw http::invalid_field("organisationId", "must be a string");
    const auto asked = core::Uuid::parse(named->get_ref<const std::string&>());
    if (!asked) throw http::invalid_field("organisationId", "must be a UUID");
    return asked;
}

}  // namespace

core::Uuid expected_organisation(Call& call) {
    const auto& roles = call.principal->roles;
    const auto asked = asked_organisation(call);
    if (roles.empty() || (asked && !roles.contains(*asked))) throw http::not_found();
    if (!asked && roles.size() > 1) throw http::organisation_required();
    return asked ? *asked : roles.begin()->first;
}

repo::OwnOrganisation own_organisation(Call& call) {
    const auto own = call.services.changes.ownership().of_user(call.principal->user_id, asked_organisation(call));
    if (own.empty()) throw http::not_found();
    if (own.size() > 1) throw http::organisation_required();
    return own[0];
}

repo::OwnOrganisation owner_of(Call& call, repo::Owned table, const core::Uuid& id, bool admin) {
    const auto owner = call.services.changes.ownership().of_row(call.principal->user_id, table, id);
    if (!owner) throw http::not_found();
    if (admin && owner->role != domain::Role::admin) throw http::forbidden();
    return *owner;
}

void check_if_match(const Call& call, std::string_view json) {
    const auto field = call.request.header("if-match");
    if (field && !http::names_tag(*field, http::entity_tag(http::data(json).body))) throw http::precondition_failed();
}

core::Time next_update(const Call& call, core::Time before) { return std::max(call.services.clock.now(), before + core::milliseconds(1)); }

http::Response created(const std::string& location, std::string_view json) {
    auto response = http::data(json, 201);
    response.set("Location", location);
    response.set("ETag", http::entity_tag(response.body));
    return response;
}

http::Response current(std::string_view json) {
    auto response = http::data(json);
    response.set("ETag", http::entity_tag(response.body));
    return response;
}

http::Response deleted(const core::Uuid& id) {
    json::Writer writer;
    writer.begin_object().member("id", id).member("deleted", true).end_object();
    return http::data(writer.text());
}

}  // namespace tradepost::api
