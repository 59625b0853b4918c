#include "api/write.h"

#include <algorithm>

#include "core/crypto.h"
#include "db/failure.h"
#include "http/conditional.h"
#include "http/error.h"
#include "json/parse.h"
#include "json/texts.h"
#include "lists/horizon.h"
#include "lists/selection.h"
#include "writes/idempotency.h"
#include "writes/room.h"

namespace tradepost::api {

namespace {

using writes::IdempotencyKeys;

// 1–255 visible ASCII characters.
void check_key(std::string_view key) {
    const bool visible = std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c < '\x7f'; });
    if (key.empty() || key.size() > 255 || !visible)
        throw http::invalid_field("Idempotency-Key", "must be 1 to 255 visible ASCII characters");
}

// Equal JSON is the same request, whatever its spaces and the order of its names. The query belongs to it: it can name the organisation.
std::string request_hash(Call& call) {
    return core::sha256(call.request.method + " " + call.request.target + "\n" + json::dump(call.body()));
}

http::Response again(const writes::KeptAnswer& kept) {
    http::Response response;
    response.status = kept.status;
    response.body = kept.body;
    for (const auto& [name, value] : json::parse_text_map(kept.headers)) response.set(name, value);
    response.set("Idempotent-Replayed", "true");
    return response;
}

writes::KeptAnswer kept(const http::Response& response) {
    const std::map<std::string, std::string> headers(response.headers.begin(), response.headers.end());
    return {response.status, json::dump(headers), response.body};
}

}  // namespace

http::Response create(Call& call, const Work& work) {
    return create(call, {}, work);
}

http::Response create(Call& call, const std::function<void()>& prepare, const Work& work) {
    const auto key = call.request.header("idempotency-key");
    if (!key) {
        if (prepare) prepare();
        return change(call, work);
    }
    const auto hash = request_hash(call);
    check_key(*key);
    const auto& config = call.services.config;
    const auto keys_of = [&](db::Connection& connection) {
        return IdempotencyKeys(connection, call.caller().user_id, *key, hash);
    };
    try {
        if (prepare) {
            if (const auto answer = keys_of(call.services.connection).find(call.services.clock.now())) return again(*answer);
            prepare();
        }
        return change(call, [&](writes::WriteTransaction& transaction) {
            auto keys = keys_of(transaction.connection());
            if (const auto answer = keys.begin(call.services.clock.now(), config.limits.user_idempotency_bytes))
                return again(*answer);
            const auto response = work(transaction);
            keys.finish(kept(response));
            return response;
        });
    } catch (const IdempotencyKeys::OtherRequest&) {
        throw http::key_of_another_request();
    } catch (const IdempotencyKeys::TooMuchKept&) {
        throw http::conflict(writes::limit_reached(config, writes::Things::kept_answer_bytes));
    }
}

http::Response change(Call& call, const Work& work) {
    return writes::write(call.services.connection, work);
}

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

std::vector<core::Uuid> own_organisations(const Call& call, const std::optional<core::Uuid>& named) {
    const auto& roles = call.caller().roles;
    if (named && !roles.contains(*named)) throw http::not_found();
    if (named) return {*named};
    std::vector<core::Uuid> ids;
    for (const auto& [id, role] : roles) ids.push_back(id);
    return ids;
}

const json::Json& body_with_reference(Call& call) {
    auto& body = call.body();
    const auto& reference = call.parameters[0];
    if (const auto given = body.find("reference"); given == body.end())
        body["reference"] = reference;
    else if (given->is_string() &&
             core::normal_reference(given->get_ref<const std::string&>()) != core::normal_reference(reference))
        throw http::invalid_field("reference", "must be the one in the path");
    return body;
}

core::Uuid queried_organisation(const Call& call) {
    const auto own = own_organisations(call, lists::read_id(call.query, "organisationId"));
    if (own.empty()) throw http::not_found();
    if (own.size() > 1) throw http::organisation_required();
    return own[0];
}

writes::OwnOrganisation queried_organisation(const Call& call, writes::WriteTransaction& transaction, bool admin) {
    const auto id = queried_organisation(call);
    const auto own = writes::Ownership(transaction.connection()).of_user(call.caller().user_id, id);
    if (own.empty()) throw http::not_found();
    if (admin && own[0].role != identity::Role::admin) throw http::forbidden();
    db::conflict_on(transaction.connection(), std::span(&id, 1));
    return own[0];
}

core::Uuid expected_organisation(Call& call) {
    const auto& roles = call.caller().roles;
    const auto asked = asked_organisation(call);
    if (roles.empty() || (asked && !roles.contains(*asked))) throw http::not_found();
    if (!asked && roles.size() > 1) throw http::organisation_required();
    return asked ? *asked : roles.begin()->first;
}

writes::OwnOrganisation own_organisation(Call& call, writes::WriteTransaction& transaction) {
    const auto own = writes::Ownership(transaction.connection()).of_user(call.caller().user_id, asked_organisation(call));
    if (own.empty()) throw http::not_found();
    if (own.size() > 1) throw http::organisation_required();
    db::conflict_on(transaction.connection(), std::span(&own[0].summary.id, 1));
    return own[0];
}

writes::OwnOrganisation owner_of(Call& call, writes::WriteTransaction& transaction, std::string_view table, const core::Uuid& id,
                                 bool admin) {
    const auto owner = writes::Ownership(transaction.connection()).of_row(call.caller().user_id, table, id);
    if (!owner) throw http::not_found();
    if (admin && owner->role != identity::Role::admin) throw http::forbidden();
    db::conflict_on(transaction.connection(), std::span(&owner->summary.id, 1));
    return *owner;
}

void check_preconditions(const Call& call, std::optional<std::string_view> json) {
    http::check_preconditions(call.request, json ? http::entity_tag(http::data(*json).body) : std::string());
}

core::Time next_update(const Call& call, core::Time before) {
    return std::max(call.services.clock.now(), before + core::milliseconds(1));
}

core::Time next_update(const Call& call, const writes::OwnOrganisation& owner, core::Time before) {
    return lists::after_polls(next_update(call, before), owner.polled_until);
}

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

void check_confirmed(Call& call) {
    const auto& session = call.caller().session;
    if (session && !session->is_confirmed(call.services.clock.now())) throw http::password_confirmation_required();
}

}  // namespace tradepost::api
