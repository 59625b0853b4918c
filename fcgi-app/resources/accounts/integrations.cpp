// Handlers of /api/v1/accounts/integrations: programs of the organisation, and their tokens. For ADMINs.
#include "identity/tokens/integrations.h"

#include "api/route.h"
#include "api/tokens.h"
#include "api/write.h"
#include "fields/json.h"
#include "http/error.h"
#include "identity/tokens/tokens.h"
#include "resources/accounts/background.h"
#include "resources/accounts/handlers.h"

namespace tradepost::accounts {
namespace {

struct AskedIntegration {
    std::string name;
};

std::span<const fields::Field<AskedIntegration>> integration_fields() {
    static const fields::Field<AskedIntegration> fields[] = {
        {"name", fields::rules::required_text(120), &AskedIntegration::name}};
    return fields;
}

void write_token(json::Writer& writer, const identity::Token& token) {
    api::write_token(writer, token);
    writer.name("createdBy");
    if (!token.minter) {
        writer.null();
        return;
    }
    writer.begin_object().member("id", token.minter->id).member("name", token.minter->name).end_object();
}

void write(json::Writer& writer, const identity::Integration& integration) {
    writer.begin_object().member("id", integration.id).member("name", integration.name);
    writer.member("createdAt", integration.created_at).name("tokens").begin_array();
    for (const auto& token : integration.tokens) {
        writer.begin_object();
        write_token(writer, token);
        writer.end_object();
    }
    writer.end_array().end_object();
}

std::string path_of(const core::Uuid& id) {
    return "/api/v1/accounts/integrations/" + id.to_string();
}

// The integration of the path, which stays one of the organisation until the transaction ends.
core::Uuid lock_integration(api::Call& call, writes::WriteTransaction& transaction, const core::Uuid& organisation) {
    lock_as_admin(call, transaction, organisation);
    const auto id = api::path_id(call);
    if (!identity::Integrations(transaction.connection()).lock(organisation, id)) throw http::not_found();
    return id;
}

// With their active tokens, without the values of these.
http::Response list_integrations(api::Call& call) {
    check_admin(call);
    json::Writer writer;
    writer.begin_object().name("integrations").begin_array();
    for (const auto& integration :
         identity::Integrations(call.services.connection).of_organisation(own_role(call).first, call.services.clock.now()))
        write(writer, integration);
    writer.end_array().member("tokenLimit", std::int64_t(identity::max_active_tokens)).end_object();
    return http::data(writer.text());
}

// POST {name}: 201; 409 when there are too many.
http::Response create_integration(api::Call& call) {
    const auto organisation = own_role(call).first;
    return api::create(call, [&](writes::WriteTransaction& transaction) {
        fields::refuse_unknown(call.body(), integration_fields());
        AskedIntegration asked;
        fields::read_fields(call.body(), integration_fields(), asked, fields::Reading::create);
        lock_as_admin(call, transaction, organisation);
        const auto added =
            identity::Integrations(transaction.connection()).add(organisation, asked.name, call.services.clock.now());
        if (!added) throw http::conflict("too many integrations; delete one first");
        json::Writer writer;
        write(writer, *added);
        auto response = http::data(writer.text(), 201);
        response.set("Location", path_of(added->id));
        return response;
    });
}

// Its tokens end at once.
http::Response delete_integration(api::Call& call) {
    const auto organisation = own_role(call).first;
    const auto id = api::path_id(call);
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        lock_as_admin(call, transaction, organisation);
        if (!remove_integration(transaction.connection(), organisation, id, call.services.clock.now())) throw http::not_found();
        return api::deleted(id);
    });
}

// POST {name, scopes?}: 201 with the token, whose value is shown only here, so an Idempotency-Key is not looked at.
http::Response mint_integration_token(api::Call& call) {
    const auto organisation = own_role(call).first;
    const auto asked = api::read_token(call.body());
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto id = lock_integration(call, transaction, organisation);
        const auto& caller = call.caller();
        const auto minted = identity::mint_within(transaction.connection(), id, asked.name, call.services.clock,
                                                  {.minter = identity::Minter{caller.user_id, caller.name}}, asked.scopes);
        if (!minted) throw http::not_found();
        json::Writer writer;
        writer.begin_object();
        write_token(writer, minted->token);
        writer.member("token", minted->plain).end_object();
        auto response = http::data(writer.text(), 201);
        response.set("Location", path_of(id) + "/tokens/" + minted->token.id.to_string());
        return response;
    });
}

http::Response revoke_integration_token(api::Call& call) {
    const auto organisation = own_role(call).first;
    const auto token = core::Uuid::parse(call.parameters[1]);
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto id = lock_integration(call, transaction, organisation);
        if (!token || !identity::revoke_within(transaction.connection(), id, *token, call.services.clock.now()))
            throw http::not_found();
        return api::deleted(*token);
    });
}

}  // namespace

std::span<const api::Route> integration_routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"GET",    "/api/v1/accounts/integrations",                       list_integrations},
        {"POST",   "/api/v1/accounts/integrations",                       create_integration,       {.body = json_body, .parameters = organisation_parameter, .before_body = check_may_grant}},
        {"DELETE", "/api/v1/accounts/integrations/{id}",                  delete_integration,       {.parameters = organisation_parameter, .before_body = check_admin}},
        {"POST",   "/api/v1/accounts/integrations/{id}/tokens",           mint_integration_token,   {.body = json_body, .parameters = organisation_parameter, .before_body = check_may_grant}},
        {"DELETE", "/api/v1/accounts/integrations/{id}/tokens/{tokenId}", revoke_integration_token, {.parameters = organisation_parameter, .before_body = check_admin}},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::accounts
