#include "api/write.h"
#include "fields/json.h"
#include "http/error.h"
#include "http/query.h"
#include "identity/second_factors.h"
#include "identity/totp.h"
#include "resources/dashboard/handlers.h"
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

// The host that users know the service by.
std::string issuer(const core::Config& config) {
    const std::string_view url = config.http.base_url;
    const auto scheme = url.find("://");
    const auto host = scheme == std::string_view::npos ? url : url.substr(scheme + 3);
    return std::string(host.substr(0, host.find('/')));
}

// What authenticator apps read from a QR code (the "Key Uri Format" that they share).
std::string app_uri(api::Call& call, const std::string& secret) {
    const auto name = http::percent_encode(issuer(call.services.config));
    return "otpauth://totp/" + name + ":" + http::percent_encode(call.caller().email) + "?secret=" + secret + "&issuer=" + name;
}

http::Response recovery_codes_response(const std::vector<std::string>& codes, int status) {
    json::Writer writer;
    writer.begin_object().name("recoveryCodes").begin_array();
    for (const auto& code : codes) writer.value(code);
    writer.end_array().end_object();
    return http::data(writer.text(), status);
}

}  // namespace

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

http::Response begin_second_factor(api::Call& call) {
    const auto secret = identity::SecondFactors(call.services.connection).begin(call.caller().user_id, call.services.clock.now());
    if (!secret) throw http::conflict("there is a second factor already");
    const auto text = identity::to_base32(*secret);
    const auto uri = app_uri(call, text);
    json::Writer writer;
    writer.begin_object().member("secret", text).member("uri", uri).name("qrCode").begin_array();
    for (const auto& row : qr_code(uri)) writer.value(row);
    writer.end_array().end_object();
    return http::data(writer.text(), 201);
}

http::Response enable_second_factor(api::Call& call) {
    fields::refuse_unknown(call.body(), code_fields());
    Code code;
    fields::read_fields(call.body(), code_fields(), code, fields::Reading::create);
    const auto codes =
        identity::SecondFactors(call.services.connection).enable(call.caller().user_id, code.text, call.services.clock.now());
    if (!codes) throw http::invalid_field("code", "is wrong");
    return recovery_codes_response(*codes, 200);
}

http::Response remove_second_factor(api::Call& call) {
    auto& connection = call.services.connection;
    for (const auto& each : identity::Memberships(connection).administered(call.caller().user_id))
        if (each.second_factor_required) throw http::conflict(each.name + " requires a second factor of its ADMINs");
    if (!identity::SecondFactors(connection).remove(call.caller().user_id, call.services.clock.now())) throw http::not_found();
    json::Writer writer;
    writer.begin_object().name("id").null().member("deleted", true).end_object();
    return http::data(writer.text());
}

http::Response renew_recovery_codes(api::Call& call) {
    const auto codes =
        identity::SecondFactors(call.services.connection).renew_recovery_codes(call.caller().user_id, call.services.clock.now());
    if (!codes) throw http::conflict("there is no second factor");
    return recovery_codes_response(*codes, 201);
}

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

}  // namespace tradepost::dashboard
