#include "app.h"

#include <unistd.h>

#include <charconv>

#include "api/auth.h"
#include "auth/authenticator.h"
#include "auth/bearer.h"
#include "auth/session_cookie.h"
#include "http/conditional.h"
#include "http/cors.h"
#include "http/error.h"
#include "http/request_id.h"
#include "http/router.h"
#include "metrics/metrics.h"
#include "routes.h"

namespace tradepost {
namespace {

using api::Access;
using api::RateClass;
using http::ApiError;
using http::Response;

constexpr std::size_t remembered_bytes = 2 << 20;
constexpr const char* too_many_requests = "Too many requests. Please try again later.";

// RFC 9110, section 9.2.1.
bool is_safe(std::string_view method) { return method == "GET" || method == "HEAD" || method == "OPTIONS"; }

// One request on its way, and what the log and the answer's headers need of it even when it fails.
struct Passage {
    const http::Request& request;
    std::string id;
    std::string allow;              // of the resource, once it is found
    const api::Route* route = nullptr;
    std::string pattern = "-";
    bool open_to_all = false;       // a public read, or its preflight
    std::optional<auth::Principal> principal;
    std::optional<limits::Verdict> verdict;
    std::string internal;           // why it failed, for the log
};

}  // namespace

struct App::Parts {
    const core::Config& config;
    const core::Clock& clock;
    limits::Limiter& limiter;
    repo::SharedVersions* versions;
    metrics::Metrics* metrics;
    std::string pool;
    db::Connection connection{config.database, db::Connection::usual_read_timeout, versions};
    // Its own connection, because the server hears of a statement's time limit only after the full-text part of it: what bounds a search
    // is how long we listen, and that ends the connection.
    db::Connection search_connection{config.database, std::chrono::ceil<std::chrono::seconds>(config.search.timeout)};
    repo::MysqlSearch search{search_connection, config.search.timeout};
    repo::Users users{connection};
    repo::Tokens tokens{connection};
    repo::Sessions sessions{connection};
    repo::Memberships memberships{connection};
    repo::Organisations organisations{connection};
    repo::Jobs jobs{connection, search};
    repo::Events events{connection, search};
    repo::Posts posts{connection, search};
    repo::Stock stock{connection};
    repo::Enquiries enquiries{connection};
    repo::Uploads uploads{connection};
    uploads::Store store{config.uploads.directory};
    repo::Collections collections{connection, versions, config.database.version_check};
    repo::Changes changes{connection};
    repo::Health health{connection};
    auth::Passwords passwords{config.auth};
    auth::SignIn sign_in{users, tokens, passwords, clock};
    auth::Authenticator authenticator{tokens, sessions, clock};
    auth::Sessions dashboard_sessions{sessions, users, sign_in, passwords, authenticator, clock};
    api::Remembered remembered{remembered_bytes};
    api::Services services{config, clock, users,     tokens,      memberships, organisations, sign_in, jobs,   events,
                           posts,  stock, enquiries, collections, changes,     uploads,       store,   health, remembered, dashboard_sessions,
                           limiter, metrics, pool};
    http::Router router{};

    void limit(Passage& passage, const char* rate_class, std::string key, core::Rate rate, const char* text);
    void limit_reads(Passage& passage);
    void limit_attempts(Passage& passage, const std::string& email_key);
    void limit_writes(Passage& passage);
    void authenticate(Passage& passage);
    Response answer(Passage& passage);
    void note_use(const auth::Principal& principal, Response& response);
    void finish(Passage& passage, Response& response);
    void log(const Passage& passage, const Response& response, std::chrono::nanoseconds taken);
    void count(const Passage& passage, const Response& response, std::chrono::nanoseconds taken);
};

App::App(const core::Config& config, const core::Clock& clock, limits::Limiter& limiter, repo::SharedVersions* versions,
         metrics::Metrics* metrics, std::string pool)
    : parts_(new Parts{config, clock, limiter, versions, metrics, std::move(pool)}) {
    const auto table = routes();
    for (std::size_t i = 0; i < table.size(); ++i) parts_->router.add(table[i].method, table[i].path, i);
}

App::~App() = default;

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
        if (const auto token = auth::bearer_token(request.header("authorization"))) principal = authenticator.authenticate(*token);
    if (!principal && api::takes_session(access))
        if (const auto plain = auth::session_cookie(request.header("cookie"))) principal = authenticator.authenticate_session(*plain);
    if (!principal && access != Access::open && !api::is_optional(access)) throw http::unauthorized();
    // A browser sends the cookie with whatever a page of another site has it send, but no header of ours.
    if (principal && principal->session && !is_safe(request.method) &&
        !auth::csrf_token_fits(request.header("x-csrf-token"), principal->session->csrf_token))
        throw http::forbidden();
}

// The contract's order of checks (section 1), from the path to the handler.
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

// After the answer is out, so that no read waits for it.
void App::Parts::note_use(const auth::Principal& principal, Response& response) {
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
    if (is_get && response.status == 200) {
        const bool is_public = passage.open_to_all;
        if (!response.header("Cache-Control"))
            response.set("Cache-Control", is_public ? "public, max-age=0, must-revalidate" : passage.route->access == Access::bearer ? "private, no-cache" : "no-store");
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
