#include <openssl/crypto.h>

#include "api/route.h"
#include "api/write.h"
#include "audit/record.h"
#include "core/crypto.h"
#include "core/present.h"
#include "core/text.h"
#include "fields/json.h"
#include "http/error.h"
#include "identity/passwords/password_rules.h"
#include "identity/sessions/session_cookie.h"
#include "resources/auth/credentials.h"
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
    writer.member("csrfToken", core::to_hex(session.csrf_token)).member("expiresAt", expires_at);
    writer.name("copy");
    if (const auto& copy = call.services.config.copy)
        writer.begin_object().member("of", copy->of).member("on", copy->on).end_object();
    else
        writer.null();
    writer.end_object();
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
        {"currentPassword", fields::rules::exact(identity::max_password_bytes), &Passwords::current},
        {"newPassword", identity::new_password_rule, &Passwords::next},
        {"revokeTokens", {Kind::boolean, Presence::defaulted}, &Passwords::revoke_tokens},
    };
    return fields;
}

std::span<const fields::Field<Passwords>> confirmation_fields() {
    static const fields::Field<Passwords> fields[] = {
        {"password", fields::rules::exact(identity::max_password_bytes), &Passwords::current},
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

// The session's user, the value of X-CSRF-Token, and when the session ends without further use.
http::Response get_session(api::Call& call) {
    return http::data(render(call, call.caller()));
}

// POST {email, password, code?}: 201 with the same and the cookie of a new session; the client's old session ends. 401 whatever is wrong with
// the credentials; 403 for a page of another origin.
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

// Ends the session and clears the cookie and what the browser keeps of this site.
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

// POST {password}: 200 as get_session(). From then on the session may for a while what api::check_confirmed() guards.
http::Response confirm_password(api::Call& call) {
    Passwords passwords;
    read(call, confirmation_fields(), passwords);
    if (const auto fault = call.services.sessions.confirm(call.caller(), passwords.current))
        throw refusal(call, *fault, "password");
    return http::data(render(call, call.caller()));
}

// PUT {currentPassword, newPassword, revokeTokens?}: 200 as begin_session(). All of the user's other sessions end.
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

// The user's active sessions, the one that was used last first.
http::Response list_sessions(api::Call& call) {
    const auto& own = call.session();
    json::Writer writer;
    writer.begin_object().name("sessions").begin_array();
    for (const auto& listed :
         identity::Sessions(call.services.connection).list_active(call.caller().user_id, call.services.clock.now())) {
        writer.begin_object().member("id", listed.id).member("createdAt", listed.session.created_at);
        writer.member("lastUsedAt", listed.session.last_seen_at).member("expiresAt", listed.session.expires_at());
        writer.member("address", listed.address).member("userAgent", listed.user_agent);
        writer.member("current", listed.session.hash == own.hash).end_object();
    }
    writer.end_array().end_object();
    return http::data(writer.text());
}

// Ends one of the user's sessions; 404 when it is none. Its own, as end_session().
http::Response end_session_by_id(api::Call& call) {
    const auto id = api::path_id(call);
    if (id == identity::session_id(call.session().hash)) return end_session(call);
    if (!identity::Sessions(call.services.connection).end_own(call.caller().user_id, id, call.services.clock.now()))
        throw http::not_found();
    return api::deleted(id);
}

// Ends all of the user's sessions but this one.
http::Response end_other_sessions(api::Call& call) {
    const auto ended = identity::Sessions(call.services.connection).end_others(call.session(), call.services.clock.now());
    json::Writer writer;
    writer.begin_object().member("ended", std::int64_t(ended)).end_object();
    return http::data(writer.text());
}

}  // namespace

// A change or confirmation of the password counts as a sign-in with the address of the session's user.
std::span<const api::Route> session_routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"GET",    "/dashboard/api/session",       get_session,        {.access = Access::session}},
        {"POST",   "/dashboard/api/session",       begin_session,      {.access = Access::open, .limit = RateClass::auth, .body = json_body, .pool = Pool::auth}},
        {"DELETE", "/dashboard/api/session",       end_session,        {.access = Access::session, .limit = RateClass::exempt}},  // who has used up all writes can still sign out
        {"POST",   "/dashboard/api/confirmation",  confirm_password,   {.access = Access::session, .limit = RateClass::auth, .body = json_body, .pool = Pool::auth}},
        {"GET",    "/dashboard/api/sessions",      list_sessions,      {.access = Access::session}},
        {"DELETE", "/dashboard/api/sessions",      end_other_sessions, {.access = Access::session}},
        {"DELETE", "/dashboard/api/sessions/{id}", end_session_by_id,  {.access = Access::session}},
        {"PUT",    "/dashboard/api/password",      change_password,    {.access = Access::session, .limit = RateClass::auth, .body = json_body, .pool = Pool::auth}},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::dashboard
