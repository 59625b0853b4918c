#include "resources/me/handlers.h"

#include "api/route.h"
#include "api/tokens.h"
#include "api/write.h"
#include "core/present.h"
#include "fields/json.h"
#include "http/error.h"
#include "identity/tokens/bearer.h"
#include "json/writer.h"
#include "resources/me/token_letters.h"

namespace tradepost::me {

void write_user(json::Writer& writer, api::Call& call, const identity::Principal& principal) {
    writer.member("id", principal.user_id);
    writer.member("email", principal.email.empty() ? std::nullopt : std::optional(principal.email))
        .member("name", principal.name);
    writer.member("createdAt", principal.user_created_at);
    writer.name("organisations").begin_array();
    for (const auto& membership : principal.memberships
                                      ? *principal.memberships
                                      : identity::Memberships(call.services.connection).of_user(principal.user_id)) {
        writer.begin_object();
        writer.member("id", membership.organisation_id).member("slug", membership.slug).member("name", membership.name);
        writer.member("role", identity::to_string(membership.role)).member("test", membership.test);
        writer.end_object();
    }
    writer.end_array();
}

http::Response get_me(api::Call& call) {
    json::Writer writer;
    writer.begin_object();
    write_user(writer, call, call.caller());
    writer.name("token");
    if (const auto& token = call.caller().token) {
        writer.begin_object().member("id", token->id).member("name", token->name);
        writer.member("createdAt", token->created_at).member("expiresAt", token->expires_at);
        api::write_scopes(writer, token->scopes);
        writer.end_object();
    } else {
        writer.null();
    }
    writer.end_object();
    return http::data(writer.text());
}

// The user's active tokens, newest first, without their values.
http::Response list_my_tokens(api::Call& call) {
    const auto& caller = call.caller();
    json::Writer writer;
    writer.begin_object().name("tokens").begin_array();
    for (const auto& token : identity::Tokens(call.services.connection).list_active(caller.user_id, call.services.clock.now())) {
        writer.begin_object();
        api::write_token(writer, token);
        writer.member("current", caller.token && caller.token->id == token.id).end_object();
    }
    writer.end_array().member("limit", std::int64_t(identity::max_active_tokens)).end_object();
    return http::data(writer.text());
}

// 404 when the id is not that of an active token of the user.
http::Response revoke_my_token(api::Call& call) {
    const auto id = api::path_id(call);
    if (!identity::Tokens(call.services.connection).revoke_own(call.caller().user_id, id, call.services.clock.now()))
        throw http::not_found();
    return api::deleted(id);
}

// POST {overlapHours?}: 201 with a new token of the same name and scopes, whose value is shown only here, so an Idempotency-Key is not looked
// at: a client that lost the answer asks again with the token that it has.
http::Response rotate_token(api::Call& call) {
    struct Asked {
        std::optional<std::int64_t> overlap_hours;
    };
    static const fields::Field<Asked> asked_fields[] = {
        {"overlapHours", fields::rules::integer(0, 7 * 24), &Asked::overlap_hours}};
    const std::span<const fields::Field<Asked>> all(asked_fields);
    Asked asked;
    fields::refuse_unknown(call.body(), all);
    fields::read_fields(call.body(), all, asked, fields::Reading::create);
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto rotated = identity::rotate_within(transaction.connection(), core::present(call.caller().token),
                                                     std::chrono::hours(asked.overlap_hours.value_or(24)), call.services.clock);
        if (!rotated) throw http::unauthorized();
        const auto& token = rotated->minted.token;
        json::Writer writer;
        writer.begin_object();
        api::write_token(writer, token);
        writer.member("token", rotated->minted.plain).member("previousExpiresAt", rotated->previous_expires_at).end_object();
        auto response = http::data(writer.text(), 201);
        response.set("Location", "/api/v1/me/tokens/" + token.id.to_string());
        return response;
    });
}

// nginx asks for a request that came over plain HTTP with a token, which it answers with 403. X-Plain-Target is the request's target.
http::Response sent_without_encryption(api::Call& call) {
    const auto credential = identity::bearer_token(call.request.header("authorization"));
    auto tokens = identity::tokens_in(call.request.header("x-plain-target").value_or(""));
    if (credential) tokens.push_back(*credential);
    for (const auto token : tokens) revoke_leaked(call.services.connection, token, sent_in_clear, call.services.clock.now());
    throw http::forbidden();
}

std::span<const api::Route> routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"GET",    "/api/v1/me",             get_me,          {.needs = Needs::nothing, .caller = identity::CallerDetail::memberships}},
        {"GET",    "/api/v1/me/tokens",      list_my_tokens,  {.needs = identity::Scope::account_read}},
        {"DELETE", "/api/v1/me/tokens/{id}", revoke_my_token},
        {"GET",    "/check/plain",           sent_without_encryption, {.access = Access::open}},
        {"POST",   "/api/v1/me/tokens/rotate", rotate_token,  {.access = Access::token, .needs = Needs::nothing, .body = json_body}},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::me
