#include "app.h"

#include <unistd.h>

#include <charconv>

#include "app_parts.h"
#include "http/conditional.h"
#include "http/cors.h"
#include "http/error.h"
#include "http/request_id.h"
#include "metrics/metrics.h"
#include "routes.h"

namespace tradepost {

using http::ApiError;
using http::Response;

App::App(const core::Config& config, const core::Clock& clock, limits::Limiter& limiter, repo::SharedVersions* versions,
         metrics::Metrics* metrics, std::string pool)
    : parts_(new Parts{config, clock, limiter, versions, metrics, std::move(pool)}) {
    const auto table = routes();
    for (std::size_t i = 0; i < table.size(); ++i) parts_->router.add(table[i].method, table[i].path, i);
}

App::~App() = default;

// After the answer is out, so that no read waits for it. What a handler has to do then goes first: this is due at the next request too.
void App::Parts::note_use(const auth::Principal& principal, Response& response) {
    if (response.after) return;
    const auto now = clock.now();
    if (const auto& token = principal.token; token && repo::Tokens::touch_is_due(token->last_used_at, now))
        response.after = [this, id = token->id, now] { tokens.touch_last_used(id, now); };
    if (const auto& session = principal.session; session && repo::Sessions::touch_is_due(session->last_seen_at, now))
        response.after = [this, hash = session->hash, now] { sessions.touch(hash, now); };
}

// What every answer carries, success or not.
void App::Parts::finish(Passage& passage, Response& response) {
    const auto& request = passage.request;
    const bool is_get = passage.route && (request.method == "GET" || request.method == "HEAD");
    if (is_get && (response.status == 200 || response.status == 304)) {
        const bool is_public = passage.open_to_all;
        if (!response.header("Cache-Control"))
            response.set("Cache-Control", is_public ? "public, max-age=0, must-revalidate" : passage.route->access == api::Access::bearer ? "private, no-cache" : "no-store");
        if (!response.header("ETag")) response.set("ETag", http::entity_tag(response.body));
        if (const auto field = request.header("if-none-match"); field && http::names_tag(*field, *response.header("ETag"))) {
            response.status = 304;
            response.body.clear();
        }
    } else if (!response.header("Cache-Control")) {
        response.set("Cache-Control", "no-store");
    }
    if (passage.route && api::takes_token(passage.route->access)) response.add_to_list("Vary", "Authorization");
    if (passage.route && api::takes_session(passage.route->access)) response.add_to_list("Vary", "Cookie");
    // What a session alone may do is for the dashboard's own pages.
    if (!passage.pattern.starts_with("/dashboard/"))
        http::add_cors(response, request, passage.open_to_all, config.http.allowed_origins, passage.allow);
    if (passage.verdict) {
        response.set("RateLimit-Limit", std::to_string(passage.verdict->limit));
        response.set("RateLimit-Remaining", std::to_string(passage.verdict->remaining));
        response.set("RateLimit-Reset", std::to_string(passage.verdict->reset));
    }
    if (!response.header("Content-Type")) response.set("Content-Type", "application/json; charset=utf-8");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("X-Request-Id", passage.id);
    if (response.status != 304) response.set("Content-Length", std::to_string(response.body.size()));
    if (request.method == "HEAD") response.body.clear();
    if (passage.principal) note_use(*passage.principal, response);
}

void App::Parts::log(const Passage& passage, const Response& response, std::chrono::nanoseconds taken) {
    using core::log::Level;
    const bool slow = config.log.slow.count() > 0 && taken >= config.log.slow;
    const auto level = response.status >= 500 ? Level::error : slow ? Level::warning : Level::info;
    if (!core::log::is_written(level)) return;
    const auto ms = [](std::chrono::nanoseconds time) {
        char text[32];
        return std::string(text, std::to_chars(text, text + sizeof text, double(time.count()) / 1e6, std::chars_format::fixed, 3).ptr);
    };
    const auto& slower = connection.longest() < search_connection.longest() ? search_connection : connection;
    const auto statement = slow ? slower.longest_name() : "";
    core::log::write(level, "request",
                     {{"id", passage.id},
                      {"method", passage.request.method},
                      {"route", passage.pattern},
                      {"status", response.status},
                      {"ms", ms(taken)},
                      {"db_ms", ms(connection.spent() + search_connection.spent())},
                      {"user", passage.principal ? passage.principal->user_id.to_string() : "-"},
                      {"bytes", response.body.size()},
                      {"worker", getpid()},
                      {"slow", statement.empty() ? "-" : statement},
                      {"slow_ms", statement.empty() ? "-" : ms(slower.longest())},
                      {"why", passage.internal.empty() ? "-" : passage.internal}});
}

void App::Parts::count(const Passage& passage, const Response& response, std::chrono::nanoseconds taken) {
    if (!metrics) return;
    const auto& a = connection.errors();
    const auto& b = search_connection.errors();
    metrics->database_errors({a.unavailable + b.unavailable, a.conflict + b.conflict, a.timeout + b.timeout, a.other + b.other});
    const auto row = passage.route ? std::optional(std::size_t(passage.route - routes().data())) : std::nullopt;
    metrics->end(row, response.status, taken, connection.spent() + search_connection.spent());
}

http::Response App::handle(const http::Request& request) {
    const auto start = std::chrono::steady_clock::now();
    if (parts_->metrics) parts_->metrics->begin();
    parts_->connection.reset_spent();
    parts_->search_connection.reset_spent();
    Passage passage{request, http::request_id(request.header("x-request-id")), {}, nullptr, "-", false, {}, {}, {}};
    const auto refused = [&](const ApiError& error) {
        passage.internal = error.what();
        auto response = http::failure(error.status, error.external);
        for (const auto& [name, value] : error.headers) response.set(name, value);
        return response;
    };
    Response response;
    try {
        response = parts_->answer(passage);
    } catch (const ApiError& error) {
        response = refused(error);
    } catch (const repo::SearchUnavailable& error) {
        response = refused(http::search_unavailable(error.what()));
    } catch (const db::Unavailable& error) {
        response = refused(http::service_unavailable(error.what()));
    } catch (const db::Error& error) {
        // Rows or tables that stayed locked: the same request may succeed in a moment.
        const bool busy = error.is_retryable() || error.is_timeout();
        response = refused(busy ? http::service_unavailable(error.what()) : ApiError(500, "Internal server error", error.what()));
    } catch (const std::exception& error) {
        response = refused(ApiError(500, "Internal server error", error.what()));
    }
    parts_->finish(passage, response);

    const auto taken = std::chrono::steady_clock::now() - start;
    parts_->count(passage, response, taken);
    parts_->log(passage, response, taken);
    return response;
}

}  // namespace tradepost
