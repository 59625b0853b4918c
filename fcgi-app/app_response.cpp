// The end of a request's way: headers that every response has, work after the response, log line and metrics.
#include <unistd.h>

#include <charconv>

#include "app_impl.h"
#include "core/present.h"
#include "http/conditional.h"
#include "http/cors.h"
#include "http/deprecation.h"
#include "metrics/metrics.h"

namespace tradepost {
namespace {

std::string milliseconds(std::chrono::nanoseconds time) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, double(time.count()) / 1e6, std::chars_format::fixed, 3).ptr};
}

}  // namespace

void App::Impl::cache_headers(const RequestContext& context, http::Response& response) const {
    const auto& request = context.request;
    const bool is_get = context.route && (request.method == "GET" || request.method == "HEAD");
    if (!is_get || (response.status != 200 && response.status != 304)) {
        if (!response.header("Cache-Control")) response.set("Cache-Control", "no-store");
        return;
    }
    if (!response.header("Cache-Control"))
        response.set("Cache-Control", context.open_to_all                            ? "public, max-age=0, must-revalidate"
                                      : context.route->access == api::Access::bearer ? "private, no-cache"
                                                                                     : "no-store");
    if (!response.header("ETag")) response.set("ETag", http::entity_tag(response.body));
    if (const auto field = request.header("if-none-match");
        field && http::names_tag(*field, core::present(response.header("ETag")))) {
        response.status = 304;
        response.body.clear();
        response.more = nullptr;
    }
}

void App::Impl::complete(RequestContext& context, http::Response& response) {
    const auto& request = context.request;
    cache_headers(context, response);
    if (context.route && api::takes_token(context.route->access)) response.add_to_list("Vary", "Authorization");
    if (context.route && api::takes_session(context.route->access)) response.add_to_list("Vary", "Cookie");
    // Routes for sessions alone are for the dashboard's own pages.
    if (!context.pattern.starts_with("/dashboard/"))
        http::add_cors(response, request, context.open_to_all, config.http.allowed_origins, context.allow);
    if (context.ignored_token) response.set("X-Token-Ignored", std::string(identity::to_string(*context.ignored_token)));
    if (context.verdict) {
        response.set("RateLimit-Limit", std::to_string(context.verdict->limit));
        response.set("RateLimit-Remaining", std::to_string(context.verdict->remaining));
        response.set("RateLimit-Reset", std::to_string(context.verdict->reset));
    }
    if (context.route && context.route->deprecation) http::add_deprecation(response, *context.route->deprecation);
    if (!response.header("Content-Type")) response.set("Content-Type", "application/json; charset=utf-8");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("X-Request-Id", context.id);
    if (response.status != 304 && !response.more) response.set("Content-Length", std::to_string(response.body.size()));
    if (request.method == "HEAD") {
        response.body.clear();
        response.more = nullptr;
    }
    if (context.principal) note_use(context, response);
}

// Written after the response, so that no read waits for it. A handler's own work takes precedence: the next request writes this.
void App::Impl::note_use(const RequestContext& context, http::Response& response) {
    if (response.after) return;
    const auto& principal = core::present(context.principal);
    const auto now = clock.now();
    if (const auto& token = principal.token; token && identity::Tokens::touch_is_due(token->last_used_at, now))
        response.after = [this, id = token->id, now] { tokens.touch_last_used(id, now); };
    if (const auto& session = principal.session; session && identity::Sessions::touch_is_due(session->last_seen_at, now))
        response.after = [this, hash = session->hash, address = context.request.client_address, now] {
            sessions.touch(hash, address, now);
        };
}

std::chrono::microseconds App::Impl::database_time() const {
    std::chrono::microseconds sum{};
    for (const auto* each : connections)
        if (each) sum += each->spent();
    return sum;
}

void App::Impl::log(const RequestContext& context, const http::Response& response, std::chrono::nanoseconds taken) const {
    using core::log::Level;
    const bool slow = config.log.slow.count() > 0 && taken >= config.log.slow;
    const auto level = response.status >= 500 ? Level::error : slow ? Level::warning : Level::info;
    if (!core::log::is_written(level)) return;
    const db::Connection* slower = &connection;
    for (const auto* each : connections)
        if (each && each->longest() > slower->longest()) slower = each;
    const auto statement = slow ? slower->longest_name() : "";
    core::log::write(level, "request",
                     {{"id", context.id},
                      {"method", context.request.method},
                      {"route", context.pattern},
                      {"status", response.status},
                      {"ms", milliseconds(taken)},
                      {"db_ms", milliseconds(database_time())},
                      {"user", context.principal ? context.principal->user_id.to_string() : "-"},
                      {"bytes", response.body.size()},
                      {"worker", getpid()},
                      {"slow", statement.empty() ? "-" : statement},
                      {"slow_ms", statement.empty() ? "-" : milliseconds(slower->longest())},
                      {"why", context.failure.empty() ? "-" : context.failure}});
}

void App::Impl::count(const RequestContext& context, const http::Response& response, std::chrono::nanoseconds taken) {
    if (!metrics) return;
    metrics::ErrorTotals errors{};
    for (const auto* each : connections) {
        if (!each) continue;
        const auto& [unavailable, conflict, timeout, other] = each->errors();
        errors = {errors[0] + unavailable, errors[1] + conflict, errors[2] + timeout, errors[3] + other};
    }
    metrics->database_errors(errors);
    const auto row = context.route ? std::optional(std::size_t(context.route - table.data())) : std::nullopt;
    metrics->end(row, response.status, taken, database_time());
}

}  // namespace tradepost
