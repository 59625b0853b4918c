// The way of a request from its path to its handler and back.
#include "app.h"

#include <algorithm>

#include "api/content.h"
#include "app_impl.h"
#include "audit/record.h"
#include "core/present.h"
#include "counted_search.h"
#include "engines/mysql_search.h"
#include "engines/sphinx_search.h"
#include "http/error.h"
#include "http/request_id.h"
#include "identity/bearer.h"
#include "identity/session_cookie.h"
#include "metrics/metrics.h"
#include "resources/auth/handlers.h"
#include "resources/tables.h"
#include "routes.h"

namespace tradepost {
namespace {

using api::Access;
using api::RateClass;
using http::ApiError;
using http::Response;

constexpr const char* too_many_requests = "Too many requests. Please try again later.";
constexpr const char* too_many_attempts = "Too many attempts. Please try again later.";

// A password whose hashing cannot begin in this time is refused: it would make later ones late, too.
constexpr core::seconds longest_queue{3};

// RFC 9110, section 9.2.1.
bool is_safe(std::string_view method) {
    return method == "GET" || method == "HEAD" || method == "OPTIONS";
}

// Whether a worker of that pool answers the route. A pool of another name, such as that of a worker started by hand, answers all.
bool is_served_by(std::string_view pool, const api::Route& route) {
    constexpr std::pair<std::string_view, api::Pool> names[] = {
        {"api", api::Pool::api}, {"auth", api::Pool::auth}, {"uploads", api::Pool::uploads}};
    const auto own = std::find_if(std::begin(names), std::end(names), [&](const auto& each) { return each.first == pool; });
    return own == std::end(names) || route.pool == own->second || route.pool == api::Pool::any;
}

// The same for OPTIONS and for a method that the path does not have. The API pool also answers what nginx refuses by itself.
bool is_served_by(std::string_view pool, const std::string& path, std::span<const api::Route> table) {
    return pool == "api" || std::any_of(table.begin(), table.end(),
                                        [&](const api::Route& route) { return route.path == path && is_served_by(pool, route); });
}

// The table of a route below /api/v1/, which has the name of its collection.
std::string_view table_of(std::string_view pattern) {
    pattern.remove_prefix(std::string_view("/api/v1/").size());
    return pattern.substr(0, pattern.find('/'));
}

Response failed(RequestContext& context, const ApiError& error) {
    context.failure = error.what();
    auto response = http::failure(error.status, error.external);
    for (const auto& [name, value] : error.headers) response.set(name, value);
    return response;
}

}  // namespace

App::App(const core::Config& config, const core::Clock& clock, limits::Limiter& limiter, versions::SharedVersions* versions,
         metrics::Metrics* metrics, std::string pool, limits::Turns* turns)
    : App(config, clock, limiter, versions, metrics, std::move(pool), turns, routes()) {}

App::App(const core::Config& config, const core::Clock& clock, limits::Limiter& limiter, versions::SharedVersions* versions,
         metrics::Metrics* metrics, std::string pool, limits::Turns* turns, std::span<const api::Route> table)
    : impl_(new Impl{config, clock, limiter, versions, metrics, std::move(pool), turns, table}) {
    for (std::size_t i = 0; i < table.size(); ++i) impl_->router.add(table[i].method, table[i].path, i);
}

App::~App() = default;

Response App::handle(const http::Request& request) {
    const auto start = std::chrono::steady_clock::now();
    if (impl_->metrics) impl_->metrics->begin();
    for (auto* each : impl_->connections)
        if (each) each->reset_spent();
    RequestContext context{request, http::request_id(request.header("x-request-id")), {}, nullptr, "-", false, {}, {}, {}, {}};
    const audit::Acting acting({.address = request.client_address, .request_id = context.id});
    Response response;
    try {
        response = impl_->answer(context);
    } catch (const ApiError& error) {
        response = failed(context, error);
    } catch (const lists::SearchUnavailable& error) {
        response = failed(context, http::search_unavailable(error.what()));
    } catch (const db::Unavailable& error) {
        response = failed(context, http::service_unavailable(error.what()));
    } catch (const db::Error& error) {
        // Rows or tables that stayed locked: the same request may succeed in a moment.
        const bool busy = error.is_retryable() || error.is_timeout();
        response = failed(context, busy ? http::service_unavailable(error.what()) : http::internal_error(error.what()));
    } catch (const std::exception& error) {
        response = failed(context, http::internal_error(error.what()));
    }
    impl_->complete(context, response);

    const auto taken = std::chrono::steady_clock::now() - start;
    impl_->count(context, response, taken);
    impl_->log(context, response, taken);
    return response;
}

std::unique_ptr<lists::SearchEngine> App::Impl::make_search() {
    std::unique_ptr<lists::SearchEngine> engine;
    if (config.search.is_sphinx())
        engine = std::make_unique<engines::SphinxSearch>(search_connection, config.search,
                                                         engines::sphinx_indexes(resources::counted_tables()));
    else
        engine = std::make_unique<engines::MysqlSearch>(search_connection, config.search.timeout);
    return std::make_unique<CountedSearch>(std::move(engine), config.search.engine, metrics);
}

// See API rules, "Order of checks".
Response App::Impl::answer(RequestContext& context) {
    const auto& request = context.request;
    const auto match = router.match(request.raw_path());
    if (!match) throw http::not_found();
    const auto own_row = router.row(*match, request.method);
    // nginx passes the decoded path's pool what the router finds by the path as it was sent, and "jobs/..%2Fauth" differs in them.
    if (own_row ? !is_served_by(pool, table[*own_row]) : !is_served_by(pool, router.pattern(*match), table))
        throw http::not_found();
    context.pattern = router.pattern(*match);
    context.allow = router.allow(*match);

    // A preflight is answered for the method that it asks about.
    const auto method = request.method == "OPTIONS" ? request.header("access-control-request-method").value_or("GET")
                                                    : std::string_view(request.method);
    const auto row = router.row(*match, method);
    if (row) context.route = &table[*row];
    context.open_to_all = context.route && context.route->rate_class == RateClass::public_read;
    if (request.method == "OPTIONS") {
        context.route = nullptr;
        auto response = http::data("{}");
        response.set("Allow", context.allow);
        return response;
    }
    if (!context.route) throw ApiError(405, "Method not allowed", {}, {{"Allow", context.allow}});

    const auto& route = *context.route;
    const bool hashes = route.rate_class == RateClass::auth;
    if (hashes) time_to_begin(context);
    api::Call call{services, request, match->parameters, {}, {}, {}};
    if (route.rate_class == RateClass::auth && route.access == Access::open) {
        limit_sign_in(context, call);
    } else {
        if (route.rate_class == RateClass::public_read && route.access == Access::optional) {
            limit_reads_of_others(context, call);
        } else {
            if (route.rate_class == RateClass::public_read) limit_reads(context);
            authenticate(context);
        }
        if (route.rate_class == RateClass::auth)
            limit_attempts(context, context.principal ? identity::email_key(context.principal->email) : std::string());
        if (route.rate_class == RateClass::write) limit_writes(context);
    }
    call.principal = context.principal;
    if (call.principal) audit::Acting::set_actor(call.principal->user_id);
    call.query = http::Query(request.raw_query());
    if (route.before_body) route.before_body(call);
    if (route.body_limit > 0) api::check_body(request, route.body_limit);
    const auto turn = hashes ? await_turn(context) : limits::Turns::Turn();
    return route.handler(call);
}

void App::Impl::authenticate(RequestContext& context) {
    const auto& request = context.request;
    const auto access = context.route->access;
    auto& principal = context.principal;
    if (api::takes_token(access)) authenticate_token(context);
    if (!principal && api::takes_session(access))
        if (const auto plain = identity::session_cookie(request.header("cookie")))
            principal = authenticator.authenticate_session(*plain, context.route->caller_detail);
    if (!principal && access != Access::open && !api::is_optional(access)) throw http::unauthorized();
    // A browser sends the cookie with requests of other sites' pages, too, but these cannot add the header.
    if (principal && principal->session && !is_safe(request.method) &&
        !identity::csrf_token_matches(request.header("x-csrf-token"), principal->session->csrf_token))
        throw http::forbidden();
}

void App::Impl::authenticate_token(RequestContext& context) {
    const auto authorization = context.request.header("authorization");
    if (!identity::is_bearer(authorization)) return;
    auto fault = identity::TokenFault::unknown;
    if (const auto token = identity::bearer_token(authorization)) {
        auto found = authenticator.authenticate(*token, context.route->caller_detail);
        if (auto* const principal = std::get_if<identity::Principal>(&found)) {
            const auto& needs = context.route->needs;
            const bool suffices = needs.met_by(core::present(principal->token));
            // The public's view needs no token, so it is not refused to one.
            if (suffices || context.route->access != Access::optional) {
                context.principal = std::move(*principal);
                if (!suffices) throw http::insufficient_scope(needs.text());
                return;
            }
            fault = identity::TokenFault::scope;
        } else {
            fault = std::get<identity::TokenFault>(found);
        }
    }
    if (context.route->access == Access::optional) context.ignored_token = fault;
}

void App::Impl::limit(RequestContext& context, const char* rate_class, const std::string& key, core::Rate rate,
                      const char* text) {
    context.verdict = limiter.count(rate_class, key, rate);
    if (context.verdict->allowed) return;
    if (metrics) metrics->rate_limited(rate_class);
    throw ApiError(429, text, {}, {{"Retry-After", std::to_string(context.verdict->reset)}});
}

void App::Impl::limit_reads(RequestContext& context) {
    limit(context, "public", limits::address_key(context.request.client_address), config.rate_limits.public_reads,
          too_many_requests);
}

// A member's read of the own organisation's jobs, events or posts counts nowhere. All else counts, also with a token that cannot be used or is of somebody
// else, and what fails before it is known whose read it is.
void App::Impl::limit_reads_of_others(RequestContext& context, api::Call& call) {
    bool own = false;
    std::exception_ptr failure;
    try {
        authenticate(context);
        call.principal = context.principal;
        call.query = http::Query(context.request.raw_query());
        own = api::is_own_read(call, table_of(context.pattern));
    } catch (...) {
        failure = std::current_exception();
    }
    if (!own) limit_reads(context);
    if (failure) std::rethrow_exception(failure);
}

void App::Impl::limit_attempts(RequestContext& context, const std::string& email_key) {
    const auto address = limits::address_key(context.request.client_address);
    limit(context, "auth", address + " " + email_key, config.rate_limits.auth, too_many_attempts);
    if (!config.rate_limits.auth_address) return;
    // Its headers are shown only when it refuses; what the first limit refuses does not count here.
    const auto of_email = context.verdict;
    limit(context, "auth_address", address, *config.rate_limits.auth_address, too_many_attempts);
    context.verdict = of_email;
}

void App::Impl::limit_writes(RequestContext& context) {
    limit(context, "write", core::present(context.principal).user_id.to_string(), config.rate_limits.write, too_many_requests);
}

// The limit's key is in the body, so the body is read first; its errors are reported after the limit has counted.
void App::Impl::limit_sign_in(RequestContext& context, api::Call& call) {
    std::exception_ptr bad_body;
    try {
        api::check_body(context.request, context.route->body_limit);
        call.body();
    } catch (const ApiError&) {
        bad_body = std::current_exception();
    }
    limit_attempts(context, auth::limit_key(bad_body ? nullptr : &call.body()));
    if (bad_body) std::rethrow_exception(bad_body);
}

// Of longest_queue, what the pool's queue has left. Throws 503 when that is nothing.
core::milliseconds App::Impl::time_to_begin(const RequestContext& context) const {
    const auto& queued_at = context.request.queued_at;
    // Requests also wait for a pool that restarts, which is not the queue's fault.
    const auto since = queued_at ? std::max(*queued_at, started) : clock.now();
    const auto waited = std::max(clock.now() - since, core::milliseconds(0));
    if (waited >= longest_queue)
        throw http::service_unavailable("waited " + std::to_string(waited.count()) + " ms for a worker of the " + pool + " pool");
    return longest_queue - waited;
}

limits::Turns::Turn App::Impl::await_turn(const RequestContext& context) {
    if (!turns) return {};
    using enum limits::Turns::Refusal;
    auto taken = turns->take(limits::address_key(context.request.client_address), time_to_begin(context));
    if (taken.refusal == crowded) throw http::service_unavailable("the address occupies half of the " + pool + " pool");
    if (taken.refusal == late) throw http::service_unavailable("the address has two passwords hashed all the time");
    return std::move(taken.turn);
}

}  // namespace tradepost
