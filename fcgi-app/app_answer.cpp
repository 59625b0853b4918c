// From a request's path to its handler: the contract's order of checks (section 1).
#include "api/auth.h"
#include "app_parts.h"
#include "auth/bearer.h"
#include "auth/session_cookie.h"
#include "http/error.h"
#include "metrics/metrics.h"
#include "routes.h"

namespace tradepost {
namespace {

using api::Access;
using api::RateClass;
using http::ApiError;
using http::Response;

constexpr const char* too_many_requests = "Too many requests. Please try again later.";

// RFC 9110, section 9.2.1.
bool is_safe(std::string_view method) { return method == "GET" || method == "HEAD" || method == "OPTIONS"; }

}  // namespace

void App::Parts::limit(Passage& passage, const char* rate_class, std::string key, core::Rate rate, const char* text) {
    passage.verdict = limiter.count(rate_class, key, rate);
    if (passage.verdict->allowed) return;
    if (metrics) metrics->rate_limited(rate_class);
    throw ApiError(429, text, {}, {{"Retry-After", std::to_string(passage.verdict->reset)}});
}

void App::Parts::limit_reads(Passage& passage) {
    limit(passage, "public", limits::address_key(passage.request.client_address), config.rate_limits.public_reads, too_many_requests);
}

void App::Parts::limit_attempts(Passage& passage, const std::string& email_key) {
    auto key = limits::address_key(passage.request.client_address) + " " + email_key;
    limit(passage, "auth", std::move(key), config.rate_limits.auth, "Too many attempts. Please try again later.");
}

void App::Parts::limit_writes(Passage& passage) {
    limit(passage, "write", passage.principal->user_id.to_string(), config.rate_limits.write, too_many_requests);
}

void App::Parts::authenticate(Passage& passage) {
    const auto& request = passage.request;
    const auto access = passage.route->access;
    auto& principal = passage.principal;
    if (api::takes_token(access))
        if (const auto token = auth::bearer_token(request.header("authorization"))) principal = authenticator.authenticate(*token, passage.route->of_caller);
    if (!principal && api::takes_session(access))
        if (const auto plain = auth::session_cookie(request.header("cookie"))) principal = authenticator.authenticate_session(*plain, passage.route->of_caller);
    if (!principal && access != Access::open && !api::is_optional(access)) throw http::unauthorized();
    // A browser sends the cookie with whatever a page of another site has it send, but no header of ours.
    if (principal && principal->session && !is_safe(request.method) &&
        !auth::csrf_token_fits(request.header("x-csrf-token"), principal->session->csrf_token))
        throw http::forbidden();
}

Response App::Parts::answer(Passage& passage) {
    const auto& request = passage.request;
    const auto match = router.match(request.raw_path());
    if (!match) throw http::not_found();
    passage.pattern = router.pattern(*match);
    passage.allow = router.allow(*match);

    // A preflight is answered for the method that it asks about.
    const auto asked = request.method == "OPTIONS" ? request.header("access-control-request-method").value_or("GET") : std::string_view(request.method);
    const auto row = router.row(*match, asked);
    if (row) passage.route = &routes()[*row];
    passage.open_to_all = passage.route && passage.route->rate_class == RateClass::public_read;
    if (request.method == "OPTIONS") {
        passage.route = nullptr;
        auto response = http::data("{}");
        response.set("Allow", passage.allow);
        return response;
    }
    if (!row) throw ApiError(405, "Method not allowed", {}, {{"Allow", passage.allow}});

    const auto& route = *passage.route;
    api::Call call{services, request, match->parameters, {}, {}, {}};
    if (route.rate_class == RateClass::auth && route.access == Access::open) {
        // The limit's key is in the body, so this body is read first; what is wrong with it is told after the limit has counted.
        std::exception_ptr bad_body;
        try {
            api::check_body(request, route.body_limit);
            call.body();
        } catch (const ApiError&) {
            bad_body = std::current_exception();
        }
        limit_attempts(passage, api::limit_key(bad_body ? nullptr : &call.body()));
        if (bad_body) std::rethrow_exception(bad_body);
    } else {
        if (route.rate_class == RateClass::public_read) limit_reads(passage);
        authenticate(passage);
        if (route.rate_class == RateClass::auth) limit_attempts(passage, domain::email_key(passage.principal->email));
        if (route.rate_class == RateClass::write) limit_writes(passage);
        if (route.body_limit > 0) api::check_body(request, route.body_limit);
    }
    call.principal = passage.principal;
    call.query = http::Query(request.raw_query());
    return route.handler(call);
}

}  // namespace tradepost
