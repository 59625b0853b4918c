#include <openssl/crypto.h>

#include "audit/record.h"
#include "core/crypto.h"
#include "core/present.h"
#include "core/text.h"
#include "fields/json.h"
#include "identity/password_rules.h"
#include "identity/session_cookie.h"
#include "resources/auth/credentials.h"
#include "resources/dashboard/handlers.h"
#include "resources/me/handlers.h"

namespace tradepost::dashboard {
namespace {

constexpr const char* session_path = "/dashboard/api/session";

std::string render(api::Call& call, const identity::Principal& principal) {
    const auto& session = core::present(principal.session);
    // This request may prolong the session.
    const auto now = call.services.clock.now();
    const auto expires_at =
        session.expires_at(identity::Sessions::touch_is_due(session.last_seen_at, now) ? now : session.last_seen_at);
    json::Writer writer;
    writer.begin_object().name("user").begin_object();
    me::write_user(writer, call, principal);
    writer.end_object();
    writer.member("csrfToken", core::to_hex(session.csrf_token)).member("expiresAt", expires_at).end_object();
    return writer.take();
}

http::Response new_session_response(api::Call& call, const identity::NewSession& session, int status) {
    auto response = http::data(render(call, session.principal), status);
    response.set("Set-Cookie", identity::set_session_cookie(session.plain));
    return response;
}

// Whether a page of this host sent the request, or no page at all: browsers send the page's origin with every POST. Otherwise
// another site could sign its visitors in as a user of its choice.
bool is_own_origin(const api::Call& call) {
    const auto origin = call.request.header("origin");
    if (!origin) return true;
    const std::string_view base = call.services.config.http.base_url;
    const auto host = base.find("://");
    if (host != std::string_view::npos && core::lower_ascii(base.substr(0, base.find('/', host + 3))) == *origin) return true;
    // The host may have other names; a browser on the same machine may use its address.
    return *origin == "https://" + core::lower_ascii(call.request.header("host").value_or(""));
}

identity::SessionClient client_of(const api::Call& call) {
    return {call.request.client_address, call.request.header("user-agent").value_or("")};
}

struct Passwords {
    ~Passwords() {
        OPENSSL_cleanse(current.data(), current.size());
        OPENSSL_cleanse(next.data(), next.size());
    }
    std::string current, next;
    bool revoke_tokens = false;
};

std::span<const fields::Field<Passwords>> change_fields() {
    using namespace fields;
    static const Field<Passwords> fields[] = {
        {"currentPassword", fields::rules::required_text(identity::max_password_bytes), &Passwords::current},
        {"newPassword",
         {Kind::text, Presence::required, identity::min_password_length, identity::max_password_length},
         &Passwords::next},
        {"revokeTokens", {Kind::boolean, Presence::defaulted}, &Passwords::revoke_tokens},
    };
    return fields;
}

std::span<const fields::Field<Passwords>> confirmation_fields() {
    static const fields::Field<Passwords> fields[] = {
        {"password", fields::rules::required_text(identity::max_password_bytes), &Passwords::current},
    };
    return fields;
}

// Reads the body and overwrites the passwords in it.
void read(api::Call& call, std::span<const fields::Field<Passwords>> fields, Passwords& passwords) {
    auto& body = call.body();
    fields::refuse_unknown(body, fields);
    fields::read_fields(body, fields, passwords, fields::Reading::create);
    for (const auto& field : fields) auth::cleanse(body, field.name);
}

http::ApiError refusal(api::Call& call, identity::PasswordFault fault, const char* field) {
    if (fault == identity::PasswordFault::wrong)
        audit::record_failure(call.services.connection, call.services.clock.now(),
                              {.event = audit::Event::password_refused, .user = call.caller().user_id});
    return fault == identity::PasswordFault::session_ended ? http::unauthorized() : http::invalid_field(field, "is wrong");
}

}  // namespace

http::Response get_session(api::Call& call) {
    return http::data(render(call, call.caller()));
}

http::Response begin_session(api::Call& call) {
    if (!is_own_origin(call))
        throw http::ApiError(
            403, "Forbidden",
            "sign-in from another origin; when it is the dashboard's, set [http] base_url to what browsers call it");
    const auto credentials = auth::read_credentials(call, auth::SignInFor::session);
    const auto result = call.services.sessions.sign_in(credentials.attempt(), client_of(call));
    const auto* const session = std::get_if<identity::NewSession>(&result);
    if (!session) throw auth::refusal(call, credentials.email, std::get<identity::SignInFault>(result));
    if (const auto before = identity::session_cookie(call.request.header("cookie"))) call.services.sessions.sign_out(*before);
    auto response = new_session_response(call, *session, 201);
    response.set("Location", session_path);
    return response;
}

http::Response end_session(api::Call& call) {
    call.services.sessions.sign_out(call.session());
    json::Writer writer;
    writer.begin_object().name("id").null().member("deleted", true).end_object();
    auto response = http::data(writer.text());
    response.set("Set-Cookie", identity::clear_session_cookie());
    // Not "cookies", which takes those of every host of the domain.
    response.set("Clear-Site-Data", "\"cache\", \"storage\"");
    return response;
}

http::Response confirm_password(api::Call& call) {
    Passwords passwords;
    read(call, confirmation_fields(), passwords);
    if (const auto fault = call.services.sessions.confirm(call.caller(), passwords.current))
        throw refusal(call, *fault, "password");
    return http::data(render(call, call.caller()));
}

void check_confirmed(api::Call& call) {
    if (!call.session().is_confirmed(call.services.clock.now())) throw http::password_confirmation_required();
}

http::Response change_password(api::Call& call) {
    Passwords change;
    read(call, change_fields(), change);
    if (const auto fault = identity::password_fault(change.next, call.caller().email, call.caller().name))
        throw http::invalid_field("newPassword", *fault);

    const auto result = call.services.sessions.change_password(
        call.caller(), {change.current, change.next, change.revoke_tokens, client_of(call)});
    if (const auto* session = std::get_if<identity::NewSession>(&result)) return new_session_response(call, *session, 200);
    throw refusal(call, std::get<identity::PasswordFault>(result), "currentPassword");
}

}  // namespace tradepost::dashboard
