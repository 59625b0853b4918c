#include <openssl/crypto.h>

#include "api/credentials.h"
#include "api/dashboard.h"
#include "api/me.h"
#include "auth/session_cookie.h"
#include "core/crypto.h"
#include "core/text.h"
#include "json/fields.h"

namespace tradepost::api {
namespace {

constexpr const char* session_path = "/dashboard/api/session";

std::string render(Call& call, const auth::Principal& principal) {
    const auto& session = *principal.session;
    // This request counts as one that it was seen with.
    const auto now = call.services.clock.now();
    const auto expires_at =
        repo::Sessions::touch_is_due(session.last_seen_at, now) ? now + repo::session_idle : session.expires_at();
    json::Writer writer;
    writer.begin_object().name("user").begin_object();
    write_user(writer, call, principal);
    writer.end_object();
    writer.member("csrfToken", core::to_hex(session.csrf_token)).member("expiresAt", expires_at).end_object();
    return writer.take();
}

http::Response begun_answer(Call& call, const auth::Begun& begun, int status) {
    auto response = http::data(render(call, begun.principal), status);
    response.set("Set-Cookie", auth::give_session_cookie(begun.plain));
    return response;
}

// Whether a page of this host sent it, or no page at all: browsers name the page's origin with every POST. Else another site
// could sign its visitors in as somebody of its choice.
bool is_own_origin(const Call& call) {
    const auto origin = call.request.header("origin");
    if (!origin) return true;
    const std::string_view base = call.services.config.http.base_url;
    const auto host = base.find("://");
    if (host != std::string_view::npos && core::lower_ascii(base.substr(0, base.find('/', host + 3))) == *origin) return true;
    // Under another of its names, a browser on the same machine uses an address for instance.
    return *origin == "https://" + core::lower_ascii(call.request.header("host").value_or(""));
}

struct PasswordChange {
    ~PasswordChange() {
        OPENSSL_cleanse(current.data(), current.size());
        OPENSSL_cleanse(next.data(), next.size());
    }
    std::string current, next;
    bool revoke_tokens = false;
};

std::span<const domain::Field<PasswordChange>> password_fields() {
    using namespace domain;
    static const Field<PasswordChange> fields[] = {
        {"currentPassword", rules::required_text(max_password_bytes), &PasswordChange::current},
        {"newPassword", rules::required_text(max_password_bytes), &PasswordChange::next},
        {"revokeTokens", {Kind::boolean, Presence::defaulted}, &PasswordChange::revoke_tokens},
    };
    return fields;
}

}  // namespace

http::Response get_session(Call& call) {
    return http::data(render(call, *call.principal));
}

http::Response begin_session(Call& call) {
    if (!is_own_origin(call))
        throw http::ApiError(
            403, "Forbidden",
            "sign-in from another origin; when it is the dashboard's, set [http] base_url to what browsers call it");
    const auto credentials = read_credentials(call);
    const auto begun = call.services.sessions.sign_in(credentials.email, credentials.password);
    if (!begun) throw http::invalid_credentials();
    if (const auto before = auth::session_cookie(call.request.header("cookie"))) call.services.sessions.sign_out(*before);
    auto response = begun_answer(call, *begun, 201);
    response.set("Location", session_path);
    return response;
}

http::Response end_session(Call& call) {
    call.services.sessions.sign_out(*call.principal->session);
    json::Writer writer;
    writer.begin_object().name("id").null().member("deleted", true).end_object();
    auto response = http::data(writer.text());
    response.set("Set-Cookie", auth::take_session_cookie());
    return response;
}

http::Response change_password(Call& call) {
    const auto fields = password_fields();
    auto& body = call.body();
    json::refuse_unknown(body, fields);
    PasswordChange change;
    json::read_fields(body, fields, change, json::Reading::create);
    for (const char* name : {"currentPassword", "newPassword"}) cleanse(body, name);
    if (change.next.size() > domain::max_password_bytes)
        throw http::invalid_field("newPassword", "must be at most " + std::to_string(domain::max_password_bytes) + " bytes long");

    const auto result =
        call.services.sessions.change_password(*call.principal, change.current, change.next, change.revoke_tokens);
    if (const auto* begun = std::get_if<auth::Begun>(&result)) return begun_answer(call, *begun, 200);
    if (std::get<auth::PasswordFault>(result) == auth::PasswordFault::session_ended) throw http::unauthorized();
    throw http::invalid_field("currentPassword", "is wrong");
}

}  // namespace tradepost::api
