#include "api/route.h"
#include "api/write.h"
#include "fields/json.h"
#include "http/error.h"
#include "identity/sessions/second_factors.h"
#include "identity/sessions/totp.h"
#include "resources/dashboard/qr_code.h"

namespace tradepost::dashboard {
namespace {

struct Code {
    std::string text;
};

std::span<const fields::Field<Code>> code_fields() {
    static const fields::Field<Code> fields[] = {{"code", fields::rules::required_text(40), &Code::text}};
    return fields;
}

struct Requirement {
    bool required = false;
};

std::span<const fields::Field<Requirement>> requirement_fields() {
    static const fields::Field<Requirement> fields[] = {
        {"required", {fields::Kind::boolean, fields::Presence::required}, &Requirement::required}};
    return fields;
}

http::Response recovery_codes_response(const std::vector<std::string>& codes, int status) {
    json::Writer writer;
    writer.begin_object().name("recoveryCodes").begin_array();
    for (const auto& code : codes) writer.value(code);
    writer.end_array().end_object();
    return http::data(writer.text(), status);
}

// The state of the user's second factor, and the organisations that the user is an ADMIN of.
http::Response get_second_factor(api::Call& call) {
    auto& connection = call.services.connection;
    const auto found = identity::SecondFactors(connection).find(call.caller().user_id);
    json::Writer writer;
    writer.begin_object().member("enabledAt", found.enabled_at).member("recoveryCodes", found.recovery_codes);
    writer.name("organisations").begin_array();
    for (const auto& each : identity::Memberships(connection).administered(call.caller().user_id)) {
        writer.begin_object().member("id", each.organisation_id).member("name", each.name);
        writer.member("required", each.second_factor_required).end_object();
    }
    writer.end_array().end_object();
    return http::data(writer.text());
}

// POST: 201 with a secret for an authenticator app, which waits for its first code. 409 when there is a second factor.
http::Response begin_second_factor(api::Call& call) {
    const auto secret = identity::SecondFactors(call.services.connection).begin(call.caller().user_id, call.services.clock.now());
    if (!secret) throw http::conflict("there is a second factor already");
    const auto text = identity::to_base32(*secret);
    const auto uri = app_uri(call.services.config.http.base_url, call.caller().email, text);
    json::Writer writer;
    writer.begin_object().member("secret", text).member("uri", uri).name("qrCode").begin_array();
    for (const auto& row : qr_code(uri)) writer.value(row);
    writer.end_array().end_object();
    return http::data(writer.text(), 201);
}

// PUT {code}: 200 with recovery codes, which are shown only here.
http::Response enable_second_factor(api::Call& call) {
    fields::refuse_unknown(call.body(), code_fields());
    Code code;
    fields::read_fields(call.body(), code_fields(), code, fields::Reading::create);
    const auto codes =
        identity::SecondFactors(call.services.connection).enable(call.caller().user_id, code.text, call.services.clock.now());
    if (!codes) throw http::invalid_field("code", "is wrong");
    return recovery_codes_response(*codes, 200);
}

// 409 when an organisation requires it of this ADMIN.
http::Response remove_second_factor(api::Call& call) {
    auto& connection = call.services.connection;
    for (const auto& each : identity::Memberships(connection).administered(call.caller().user_id))
        if (each.second_factor_required) throw http::conflict(each.name + " requires a second factor of its ADMINs");
    if (!identity::SecondFactors(connection).remove(call.caller().user_id, call.services.clock.now())) throw http::not_found();
    json::Writer writer;
    writer.begin_object().name("id").null().member("deleted", true).end_object();
    return http::data(writer.text());
}

// POST: 201 with new recovery codes in place of the old ones. 409 without a second factor.
http::Response renew_recovery_codes(api::Call& call) {
    const auto codes =
        identity::SecondFactors(call.services.connection).renew_recovery_codes(call.caller().user_id, call.services.clock.now());
    if (!codes) throw http::conflict("there is no second factor");
    return recovery_codes_response(*codes, 201);
}

// PUT {required} by an ADMIN of the organisation: whether it requires a second factor of its ADMINs. 409 when the caller has none.
http::Response require_second_factor(api::Call& call) {
    const auto id = api::path_id(call);
    fields::refuse_unknown(call.body(), requirement_fields());
    Requirement asked;
    fields::read_fields(call.body(), requirement_fields(), asked, fields::Reading::create);

    auto& connection = call.services.connection;
    const auto role = call.caller().roles.find(id);
    if (role == call.caller().roles.end()) throw http::not_found();
    if (role->second != identity::Role::admin) throw http::forbidden();
    // Otherwise the caller would no longer be an ADMIN, and nobody left to take it back.
    if (asked.required && !identity::SecondFactors(connection).is_enabled(call.caller().user_id))
        throw http::conflict("set up your own second factor first");
    if (!identity::Memberships(connection)
             .require_second_factor(call.caller().user_id, id, asked.required, call.services.clock.now()))
        throw http::forbidden();
    json::Writer writer;
    writer.begin_object().member("id", id).member("required", asked.required).end_object();
    return http::data(writer.text());
}

}  // namespace

std::span<const api::Route> second_factor_routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"GET",    "/dashboard/api/second-factor",                    get_second_factor,     {.access = Access::session}},
        {"POST",   "/dashboard/api/second-factor",                    begin_second_factor,   {.access = Access::session, .before_body = check_confirmed}},
        {"PUT",    "/dashboard/api/second-factor",                    enable_second_factor,  {.access = Access::session, .body = json_body, .before_body = check_confirmed}},
        {"DELETE", "/dashboard/api/second-factor",                    remove_second_factor,  {.access = Access::session, .before_body = check_confirmed}},
        {"POST",   "/dashboard/api/second-factor/recovery-codes",     renew_recovery_codes,  {.access = Access::session, .before_body = check_confirmed}},
        {"PUT",    "/dashboard/api/organisations/{id}/second-factor", require_second_factor, {.access = Access::session, .body = json_body, .before_body = check_confirmed}},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::dashboard
