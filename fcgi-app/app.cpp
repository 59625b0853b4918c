// The way of a request from its path to its handler and back.
#include "app.h"

#include <algorithm>

#include "app_impl.h"
#include "audit/record.h"
#include "core/present.h"
#include "http/conditional.h"
#include "http/error.h"
#include "http/request_id.h"
#include "identity/sessions/session_cookie.h"
#include "identity/tokens/bearer.h"
#include "metrics/metrics.h"
#include "resources/auth/handlers.h"
#include "resources/me/token_letters.h"
#include "resources/routes.h"
#include "resources/tables.h"
#include "search/engines/counted_search.h"
#include "search/engines/mysql_search.h"
#include "search/engines/sphinx_search.h"
#include "webhooks/announce.h"

namespace tradepost {
namespace {

using api::Access;
using api::RateClass;
using http::ApiError;
using http::Response;

constexpr const char* too_many_requests = "Too many requests. Please try again later.";
constexpr const char* too_many_attempts = "Too many attempts. Please try again later.";

// How many requests of a worker and of a caller wait for their share of the workers. They occupy no worker.
constexpr std::size_t most_waiting = 64, most_waiting_of_one = 16;

// RFC 9110, section 9.2.1.
bool is_safe(std::string_view method) {
    return method == "GET" || method == "HEAD" || method == "OPTIONS";
}

// Whether a worker of that pool answers the route. A pool of another name, such as that of a worker started by hand, answers all.
bool is_served_by(std::string_view pool, const api::Route& route) {
    constexpr std::pair<std::string_view, api::Pool> names[] = {
        {"api", api::Pool::api}, {"auth", api::Pool::auth}, {"uploads", api::Pool::uploads}};
    const auto own = std::find_if(std::begin(names), std::end(names), [&](const auto& each) { return each.first == pool; });
    return own == std::end(names) || route.rules.pool == own->second || route.rules.pool == api::Pool::any;
}

// The same for OPTIONS and for a method that the path does not have. The API pool also answers what nginx refuses by itself.
bool is_served_by(std::string_view pool, const std::string& path, std::span<const api::Route> table) {
    return pool == "api" || std::any_of(table.begin(), table.end(),
                                        [&](const api::Route& route) { return route.path == path && is_served_by(pool, route); });
}

}  // namespace

App::App(const core::Config& config, const core::Clock& clock, limits::Limiter& limiter, versions::SharedVersions* versions,
         metrics::Metrics* metrics, std::string pool, limits::Admission* admission)
    : App(config, clock, limiter, versions, metrics, std::move(pool), admission, routes()) {}

App::App(const core::Config& config, const core::Clock& clock, limits::Limiter& limiter, versions::SharedVersions* versions,
         metrics::Metrics* metrics, std::string pool, limits::Admission* admission, std::span<const api::Route> table)
    : impl_(new Impl{config, clock, limiter, versions, metrics, std::move(pool), admission, table}) {
    // Its workers serve everybody. Those of the other pools may wait.
    if (impl_->pool == "api") impl_->connection.limit_lock_waits();
    for (std::size_t i = 0; i < table.size(); ++i) impl_->router.add(table[i].method, table[i].path, i);
}

App::~App() = default;

Response App::handle(const http::Request& request) {
    return impl_->handle(request, nullptr);
}

Response App::Impl::handle(const http::Request& request, const Waiting* waiting_before) {
    const auto start = std::chrono::steady_clock::now();
    if (metrics) metrics->begin();
    for (auto* each : connections)
        if (each) each->reset_spent();
    Call call{services, request, http::request_id(request.header("x-request-id"))};
    current = &call;
    resumed = waiting_before;
    call.waited = waited_for_worker(call);
    webhooks::disturb(webhooks::Disturbance::none);
    const audit::Acting acting({.address = request.client_address, .request_id = call.id});
    Response response;
    try {
        response = answer(call);
    } catch (const Waiting& waits) {
        current = nullptr;
        resumed = nullptr;
        if (metrics) metrics->pause();
        ++waiting[waits.who[0]];
        return await_share(request, std::make_shared<Waiting>(waits));
    } catch (const Sleeping& sleeping) {
        current = nullptr;
        if (metrics) metrics->pause();
        ++waiting[sleeping.who];
        return sleep(request, sleeping);
    } catch (const ApiError& error) {
        response = failed(call, error);
    } catch (const lists::SearchUnavailable& error) {
        response = failed(call, http::search_unavailable(error.what()));
    } catch (const db::Error& error) {
        response = failed(call, error);
    } catch (const std::exception& error) {
        response = failed(call, http::internal_error(error.what()));
    }
    end_fault(call, response);
    complete(call, response);

    const auto taken = std::chrono::steady_clock::now() - start;
    count(call, response, taken);
    log(call, response, taken);
    current = nullptr;
    resumed = nullptr;
    // The request occupies its worker until the response is sent and what follows it is done.
    if (admission && admission->is_held())
        response.after = [admission = admission, after = std::move(response.after)] {
            if (after) after();
            admission->end();
        };
    return response;
}

// Is asked again until the request gets its share or has waited for long enough.
Response App::Impl::await_share(const http::Request& request, std::shared_ptr<Waiting> held) {
    Response response;
    response.resume = [this, &request, held = std::move(held)] {
        const auto now = std::chrono::steady_clock::now();
        const auto& caller = held->who[0];
        const std::string cost(limits::cost_names[std::size_t(held->cost)]);
        // A caller that was refused just now is refused again, and so is everybody if the pool's share is taken.
        if ((refused != caller && refused != cost) || now - refused_at > std::chrono::milliseconds(1)) {
            held->refusal = admission->admit(held->cost, held->who);
            if (held->refusal != limits::Admission::Refusal::none) {
                refused = held->refusal == limits::Admission::Refusal::pool ? cost : caller;
                refused_at = now;
            }
        }
        if (held->refusal != limits::Admission::Refusal::none && now - held->since < config.http.share_wait)
            return await_share(request, held);
        if (--waiting[caller] == 0) waiting.erase(caller);
        return handle(request, held.get());
    };
    return response;
}

std::unique_ptr<lists::SearchEngine> App::Impl::make_search() {
    std::unique_ptr<lists::SearchEngine> engine;
    if (config.search.is_sphinx())
        engine = std::make_unique<search::SphinxSearch>(search_connection, config.search,
                                                        search::sphinx_indexes(resources::counted_tables()));
    else
        engine = std::make_unique<search::MysqlSearch>(search_connection, config.search.timeout);
    return std::make_unique<search::CountedSearch>(std::move(engine), config.search.engine, metrics);
}

// See API rules, "Order of checks".
Response App::Impl::answer(Call& call) {
    refuse_leaked(call);
    find_route(call);
    if (call.request.method == "OPTIONS") {
        auto response = http::data("{}");
        response.set("Allow", call.allow);
        return response;
    }
    const auto& rules = call.route->rules;
    if (rules.cost == limits::Cost::hash) time_to_begin(call);
    identify(call);
    make_fault(call);
    limit_attempts(call);
    // A list is admitted when neither a cache nor kept counts answer it: lists::Lists::admit_search_.
    if (rules.cost != limits::Cost::search) admit(call, *rules.cost);
    limit_writes(call);
    if (call.principal) audit::Acting::set_actor(call.principal->user_id);
    call.query = http::Query(call.request.raw_query());
    if (!is_safe(call.request.method)) call.query.require_only(rules.parameters);
    if (rules.before_body) rules.before_body(call);
    if (rules.body > 0) api::check_body(call.request, rules.body);
    // What has no tag has no representation either that a client could know.
    if (!is_safe(call.request.method) && !rules.is_tagged) http::check_preconditions(call.request, {});
    return call.route->answer(call);
}

// The row of path and method. Throws 404 and 405.
void App::Impl::find_route(Call& call) {
    const auto& request = call.request;
    // A 404 of a path says nothing of anybody, so pages of all origins may read it.
    call.open_to_all = true;
    const auto match = router.match(request.raw_path());
    if (!match) throw http::not_found();
    const auto own_row = router.row(*match, request.method);
    // nginx passes the decoded path's pool what the router finds by the path as it was sent, and "jobs/..%2Fauth" differs in them.
    if (own_row ? !is_served_by(pool, table[*own_row]) : !is_served_by(pool, router.pattern(*match), table))
        throw http::not_found();
    call.pattern = router.pattern(*match);
    call.allow = router.allow(*match);
    call.parameters = match->parameters;

    // A preflight is answered for the method that it asks about, and a method that a path does not have like its reads.
    const auto method = request.method == "OPTIONS" ? request.header("access-control-request-method").value_or("GET")
                                                    : std::string_view(request.method);
    const auto row = router.row(*match, method), deciding = row ? row : router.row(*match, "GET");
    call.open_to_all = deciding && table[*deciding].rules.limit == RateClass::public_read;
    if (request.method == "OPTIONS") return;
    if (!row) throw ApiError(405, "Method not allowed", {}, {{"Allow", call.allow}});
    call.route = &table[*row];
}

// Finds the caller. A public read counts, unless a member reads what is their own: also with a token that cannot be used or is of somebody else, and when it
// fails before it is known whose read it is.
void App::Impl::identify(Call& call) {
    const auto& rules = call.route->rules;
    if (rules.limit != RateClass::public_read) return authenticate(call);
    bool own = false;
    std::exception_ptr failure;
    if (rules.is_own_read) try {
            authenticate(call);
            call.query = http::Query(call.request.raw_query());
            own = rules.is_own_read(call);
        } catch (...) {
            failure = std::current_exception();
        }
    if (!own) limit_reads(call);
    if (failure) std::rethrow_exception(failure);
    if (!rules.is_own_read) authenticate(call);
}

void App::Impl::authenticate(Call& call) {
    if (resumed) {
        call.principal = resumed->principal;
        call.ignored_token = resumed->ignored_token;
        return;
    }
    const auto& request = call.request;
    const auto access = call.route->rules.access;
    auto& principal = call.principal;
    if (api::takes_token(access)) authenticate_token(call);
    if (!principal && api::takes_session(access))
        if (const auto plain = identity::session_cookie(request.header("cookie")))
            principal = authenticator.authenticate_session(*plain, call.route->rules.caller);
    if (!principal && access != Access::open && !api::is_optional(access)) throw http::unauthorized();
    // A browser sends the cookie with requests of other sites' pages, too, but these cannot add the header.
    if (principal && principal->session && !is_safe(request.method) &&
        !identity::csrf_token_matches(request.header("x-csrf-token"), principal->session->csrf_token))
        throw http::forbidden();
}

void App::Impl::authenticate_token(Call& call) {
    const auto authorization = call.request.header("authorization");
    if (!identity::is_bearer(authorization)) return;
    auto fault = identity::TokenFault::unknown;
    if (const auto token = identity::bearer_token(authorization)) {
        auto found = authenticator.authenticate(*token, call.route->rules.caller);
        if (auto* const principal = std::get_if<identity::Principal>(&found)) {
            const auto& needs = call.route->rules.needs;
            const bool suffices = needs.met_by(core::present(principal->token));
            // The public's view needs no token, so it is not refused to one.
            if (suffices || call.route->rules.access != Access::optional) {
                call.principal = std::move(*principal);
                if (!suffices) throw http::insufficient_scope(needs.text());
                return;
            }
            fault = identity::TokenFault::scope;
        } else {
            fault = std::get<identity::TokenFault>(found);
        }
    }
    if (call.route->rules.access == Access::optional) call.ignored_token = fault;
}

// A token in the address stands in logs, histories and Referer headers by now: it is revoked, its owner is told, and the program gets 401 at
// once, so that somebody looks.
void App::Impl::refuse_leaked(Call& call) {
    if (resumed) return;
    for (const auto token : identity::tokens_in(call.request.target))
        if (me::revoke_leaked(connection, token, me::sent_in_address, clock.now())) {
            call.failure = "a token in the address was revoked";
            throw http::unauthorized();
        }
}

void App::Impl::limit(Call& call, const char* rate_class, const std::string& key, core::Rate rate, const char* text) {
    if (resumed && resumed->verdict) {
        call.verdict = resumed->verdict;
        return;
    }
    call.verdict = limiter.count(rate_class, key, rate);
    if (call.verdict->allowed) return;
    if (metrics) metrics->rate_limited(rate_class);
    throw ApiError(429, text, {}, {{"Retry-After", std::to_string(call.verdict->reset)}});
}

void App::Impl::limit_reads(Call& call) {
    limit(call, "public", limits::address_key(call.request.client_address), config.rate_limits.public_reads, too_many_requests);
}

// Before a password is hashed: by the address, and by the email of the session or else of the body, whose errors are reported once the limit has counted.
void App::Impl::limit_attempts(Call& call) {
    const auto& rules = call.route->rules;
    if (rules.limit != RateClass::auth) return;
    std::string email_key;
    std::exception_ptr bad_body;
    if (rules.access == Access::open) try {
            api::check_body(call.request, rules.body);
            email_key = auth::limit_key(&call.body());
        } catch (const ApiError&) {
            bad_body = std::current_exception();
        }
    else if (call.principal)
        email_key = identity::email_key(call.principal->email);
    const auto address = limits::address_key(call.request.client_address);
    limit(call, "auth", address + " " + email_key, config.rate_limits.auth, too_many_attempts);
    if (config.rate_limits.auth_address) {
        // Its headers are shown only when it refuses; what the first limit refuses does not count here.
        const auto of_email = call.verdict;
        limit(call, "auth_address", address, *config.rate_limits.auth_address, too_many_attempts);
        call.verdict = of_email;
    }
    if (bad_body) std::rethrow_exception(bad_body);
}

void App::Impl::limit_writes(Call& call) {
    if (call.route->rules.limit == RateClass::writes)
        limit(call, "write", core::present(call.principal).user_id.to_string(), config.rate_limits.write, too_many_requests);
}

// See limits/README.md. Throws 429 when the caller's share of the workers is taken, 503 when the pool's is.
void App::Impl::admit(Call& call, limits::Cost cost) {
    if (!admission || (cost == limits::Cost::cheap && is_safe(call.request.method))) return;
    const auto& principal = call.principal;
    std::vector<std::string> who;
    if (principal && cost != limits::Cost::hash) {
        who.push_back("user " + principal->user_id.to_string());
        for (const auto& [id, role] : principal->roles) who.push_back("organisation " + id.to_string());
    } else {
        who.push_back("address " + limits::address_key(call.request.client_address));
    }
    const auto now = std::chrono::steady_clock::now();
    auto refusal = limits::Admission::Refusal::none;
    if (resumed) {
        refusal = resumed->refusal;
        call.waited += std::chrono::duration_cast<core::milliseconds>(now - resumed->since);
    } else {
        // Waiting requests of the caller come first. A hash waits for its turn in its worker, as it has a place.
        const auto for_turn = cost == limits::Cost::hash ? time_to_begin(call) : core::milliseconds(0);
        refusal = waiting.contains(who[0]) ? limits::Admission::Refusal::caller : admission->admit(cost, who, for_turn);
        const auto waited = std::chrono::steady_clock::now() - now;
        call.waited += std::chrono::duration_cast<core::milliseconds>(waited);
        if (refusal != limits::Admission::Refusal::none && waited < config.http.share_wait && may_wait(who[0]))
            throw Waiting{cost,       std::move(who),  now, refusal, call.verdict, std::move(call.principal), call.ignored_token,
                          call.fault, call.observation};
    }
    call.cost = cost;
    if (metrics) metrics->admitted(cost, refusal);
    const auto name = std::string(limits::cost_names[std::size_t(cost)]);
    if (refusal == limits::Admission::Refusal::caller)
        throw http::too_many_requests(std::chrono::seconds(1),
                                      "the caller's share of the " + pool + " pool for " + name + " is taken");
    if (refusal == limits::Admission::Refusal::pool)
        throw ApiError(503, "Service unavailable", "the share of the " + pool + " pool for " + name + " is taken",
                       {{"Retry-After", "1"}});
}

bool App::Impl::may_wait(const std::string& caller) const {
    const auto of_caller = waiting.find(caller);
    std::size_t all = 0;
    for (const auto& [name, count] : waiting) all += count;
    return all < most_waiting && (of_caller == waiting.end() || of_caller->second < most_waiting_of_one);
}

// Since nginx put it into the pool's queue. Requests also wait for a pool that restarts, which is not the queue's fault.
core::milliseconds App::Impl::waited_for_worker(const Call& call) const {
    const auto& queued_at = call.request.queued_at;
    if (!queued_at) return {};
    return std::max(clock.now() - std::max(*queued_at, started), core::milliseconds(0));
}

// What the pool's queue has left of the time in which hashing must begin. Throws 503 when nothing is left: this password would make later
// ones late, too.
core::milliseconds App::Impl::time_to_begin(const Call& call) const {
    const auto waited = waited_for_worker(call), longest_queue = core::milliseconds(config.auth.longest_queue);
    if (waited >= longest_queue)
        throw http::service_unavailable("waited " + std::to_string(waited.count()) + " ms for a worker of the " + pool + " pool");
    return longest_queue - waited;
}

}  // namespace tradepost
