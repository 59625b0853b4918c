// The end of a request's way: headers that every response has, work after the response, log line and metrics.
#include <unistd.h>

#include <charconv>

#include "api/check.h"
#include "app_impl.h"
#include "core/present.h"
#include "db/health.h"
#include "http/conditional.h"
#include "http/cors.h"
#include "http/error.h"
#include "http/error_codes.h"
#include "http/response.h"
#include "metrics/metrics.h"

namespace tradepost {
namespace {

std::string milliseconds(std::chrono::nanoseconds time) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, double(time.count()) / 1e6, std::chars_format::fixed, 3).ptr};
}

// RFC 9111, section 5.2.2.10, and RFC 5861. Browsers ask each time.
std::string public_cache_control(std::chrono::seconds shared) {
    if (shared.count() == 0) return "public, max-age=0, must-revalidate";
    const auto seconds = std::to_string(shared.count());
    return "public, max-age=0, s-maxage=" + seconds + ", stale-while-revalidate=" + seconds;
}

}  // namespace

http::Response failed(Call& call, const http::ApiError& error) {
    call.failure = error.what();
    call.code = http::error_code(error.status, error.external);
    call.faults = error.faults;
    auto response = http::accepts_problem(call.request.header("accept"))
                        ? http::problem(error, call.services.config.http.base_url + "/docs/errors", call.id)
                        : http::failure(error.status, error.external);
    for (const auto& [name, value] : error.headers) response.set(name, value);
    if (call.pattern.starts_with(api::check_prefix)) api::refuse_for_nginx(response, error);
    return response;
}

http::Response failed(Call& call, const db::Error& error) {
    if (dynamic_cast<const db::Unavailable*>(&error)) return failed(call, http::service_unavailable(error.what()));
    // Too many rows for one transaction: the same request never succeeds.
    if (error.code == db::transaction_too_large) return failed(call, {413, http::body_too_large().external, error.what()});
    // Rows or tables that stayed locked: the same request may succeed in a moment.
    const bool busy = error.is_retryable() || error.is_timeout();
    return failed(call, busy ? http::busy(error.what()) : http::internal_error(error.what()));
}

void App::Impl::cache_headers(Call& call, http::Response& response) const {
    const auto& request = call.request;
    const bool is_get = call.route && (request.method == "GET" || request.method == "HEAD");
    if (!is_get || response.status != 200) {
        if (!response.header("Cache-Control")) response.set("Cache-Control", "no-store");
        return;
    }
    if (!response.header("Cache-Control"))
        response.set("Cache-Control", call.open_to_all ? public_cache_control(config.http.shared_cache)
                                      : call.route->rules.access == api::Access::bearer ? "private, no-cache"
                                                                                        : "no-store");
    if (!response.header("ETag")) response.set("ETag", http::entity_tag(response.body));
    const auto preconditions = http::evaluate(request, core::present(response.header("ETag")));
    if (preconditions == http::Preconditions::met) return;
    response.more = nullptr;
    if (preconditions == http::Preconditions::not_modified) {
        response.status = 304;
        response.body.clear();
    } else {
        auto refusal = failed(call, http::precondition_failed());
        refusal.set("Cache-Control", "no-store");
        refusal.after = std::move(response.after);
        response = std::move(refusal);
    }
}

void App::Impl::complete(Call& call, http::Response& response) {
    const auto& request = call.request;
    cache_headers(call, response);
    if (call.route && api::takes_token(call.route->rules.access)) response.add_to_list("Vary", "Authorization");
    if (call.route && api::takes_session(call.route->rules.access)) response.add_to_list("Vary", "Cookie");
    // Routes for sessions alone are for the dashboard's own pages.
    if (!call.pattern.starts_with("/dashboard/") && !request.raw_path().starts_with("/dashboard/"))
        http::add_cors(response, request, call.open_to_all, config.http.allowed_origins, call.allow);
    if (const auto* token = call.principal && call.principal->token ? &*call.principal->token : nullptr;
        token && token->expires_at - clock.now() <= identity::expiry_is_told && !response.header("X-Token-Expires-At"))
        response.set("X-Token-Expires-At", core::to_rfc3339(token->expires_at));
    if (call.ignored_token) response.set("X-Token-Ignored", std::string(identity::to_string(*call.ignored_token)));
    if (response.status == 304 && call.verdict && !config.rate_limits.count_not_modified)
        call.verdict = limiter.count("public", limits::address_key(request.client_address), config.rate_limits.public_reads,
                                     limits::Use::give_back);
    if (call.verdict) {
        response.set("RateLimit-Limit", std::to_string(call.verdict->limit));
        response.set("RateLimit-Remaining", std::to_string(call.verdict->remaining));
        response.set("RateLimit-Reset", std::to_string(call.verdict->reset));
    }
    if (call.route && call.route->rules.deprecation) http::add_deprecation(response, *call.route->rules.deprecation);
    if (!response.header("Content-Type")) response.set("Content-Type", "application/json; charset=utf-8");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("X-Request-Id", call.id);
    if (response.status != 304 && !response.more) response.set("Content-Length", std::to_string(response.body.size()));
    if (request.method == "HEAD") {
        response.body.clear();
        response.more = nullptr;
    }
    if (call.principal) note_use(call, response);
}

// Counts the request for the organisations of its program (resources/accounts/program_use.h). A check before a body counts only if it
// refuses, and then as the request that was checked.
void App::Impl::count_use(const Call& call, const http::Response& response) {
    const auto& principal = core::present(call.principal);
    if (!principal.token) return;
    const auto& token = *principal.token;
    const bool is_check = call.pattern.starts_with(api::check_prefix);
    if (is_check && response.status < 400) return;
    const auto refusal = response.header("X-Refusal");
    const int status = refusal ? std::stoi(std::string(*refusal)) : response.status;
    program_use.count_request(token.id, status >= 400);
    if (status < 400 || principal.roles.empty()) return;
    const auto route = is_check ? "/api/v1/" + call.pattern.substr(api::check_prefix.size()) : call.pattern;
    const std::string method = is_check && call.pattern.ends_with("/uploads") ? "POST" : call.request.method;
    std::vector<core::Uuid> organisations;
    for (const auto& [id, role] : principal.roles)
        if (organisations.size() < 10) organisations.push_back(id);
    program_use.count_failure(
        organisations,
        {token.id, method, route, status, std::string(call.code), call.faults.empty() ? std::string() : call.faults[0].name},
        call.id, clock.now());
}

// Written after the response, so that no read waits for it. A handler's own work takes precedence: the next request writes this.
void App::Impl::note_use(const Call& call, http::Response& response) {
    count_use(call, response);
    if (response.after) return;
    const auto& principal = core::present(call.principal);
    const auto now = clock.now();
    if (const auto& token = principal.token; token && identity::Tokens::touch_is_due(token->last_used_at, now))
        response.after = [this, id = token->id, now] { tokens.touch_last_used(id, now); };
    if (const auto& session = principal.session; session && identity::Sessions::touch_is_due(session->last_seen_at, now))
        response.after = [this, hash = session->hash, address = call.request.client_address, now] {
            sessions.touch(hash, address, now);
        };
    if (program_use.is_due(now))
        response.after = [this, now, first = std::move(response.after)] {
            if (first) first();
            program_use.write(connection, now);
        };
}

void App::settle(bool is_end) noexcept {
    auto& use = impl_->program_use;
    const auto now = impl_->clock.now();
    if (is_end ? !use.empty() : use.is_due(now)) use.write(impl_->connection, now);
}

std::chrono::microseconds App::Impl::database_time() const {
    std::chrono::microseconds sum{};
    for (const auto* each : connections)
        if (each) sum += each->spent();
    return sum;
}

void App::Impl::log(const Call& call, const http::Response& response, std::chrono::nanoseconds taken) const {
    using core::log::Level;
    const bool slow = config.log.slow.count() > 0 && taken >= config.log.slow;
    const auto level = response.status >= 500 ? Level::error : slow ? Level::warning : Level::info;
    if (!core::log::is_written(level)) return;
    const db::Connection* slower = &connection;
    for (const auto* each : connections)
        if (each && each->longest() > slower->longest()) slower = each;
    const auto statement = slow ? slower->longest_name() : "";
    core::log::write(level, "request",
                     {{"id", call.id},
                      {"method", call.request.method},
                      {"route", call.pattern},
                      {"status", response.status},
                      {"ms", milliseconds(taken)},
                      {"db_ms", milliseconds(database_time())},
                      {"user", call.principal ? call.principal->user_id.to_string() : "-"},
                      {"bytes", response.body.size()},
                      {"worker", getpid()},
                      {"slow", statement.empty() ? "-" : statement},
                      {"slow_ms", statement.empty() ? "-" : milliseconds(slower->longest())},
                      {"why", call.failure.empty() ? "-" : call.failure}});
}

void App::Impl::count(const Call& call, const http::Response& response, std::chrono::nanoseconds taken) {
    if (!metrics) return;
    metrics::ErrorTotals errors{};
    for (const auto* each : connections) {
        if (!each) continue;
        const auto& [unavailable, conflict, timeout, other] = each->errors();
        errors = {errors[0] + unavailable, errors[1] + conflict, errors[2] + timeout, errors[3] + other};
    }
    metrics->database_errors(errors);
    const auto row = call.route ? std::optional(std::size_t(call.route - table.data())) : std::nullopt;
    metrics->waited(call.cost, call.waited);
    metrics->end(row, response.status, taken, database_time());
}

}  // namespace tradepost
