// The parts of an App, for its own files alone: app.cpp is the pipeline, app_response.cpp completes and records responses.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>

#include "api/call.h"
#include "app.h"
#include "http/router.h"
#include "identity/authenticator.h"
#include "lists/search_engine.h"

namespace tradepost {

// The state of one request, for its response's headers and its log line, which a failed request has as well.
struct RequestContext {
    const http::Request& request;
    std::string id;
    std::string allow;  // of the resource, once it is found
    const api::Route* route = nullptr;
    std::string pattern = "-";
    bool open_to_all = false;  // a public read, or its preflight
    std::optional<identity::Principal> principal;
    std::optional<identity::TokenFault> ignored_token;  // on a public route, which answers without the token
    std::optional<limits::Verdict> verdict;
    std::string failure;  // the reason for the log
};

struct App::Impl {
    const core::Config& config;
    const core::Clock& clock;
    limits::Limiter& limiter;
    versions::SharedVersions* versions;
    metrics::Metrics* metrics;
    std::string pool;
    limits::Turns* turns;
    std::span<const api::Route> table;
    core::Time started = clock.now();
    std::chrono::seconds read_timeout =
        config.database.hosts.empty() ? db::Connection::usual_read_timeout : db::Connection::cluster_read_timeout;
    db::Connection connection{config.database, read_timeout, versions};
    // To the cluster's node on this host, if lists and details are to come from it.
    std::unique_ptr<db::Connection> own_node =
        config.database.reads_locally ? std::make_unique<db::Connection>(config.database, read_timeout, nullptr, db::Use::reads)
                                      : nullptr;
    db::Connection& reads = own_node ? *own_node : connection;
    // A connection of its own: the server checks a statement's time limit only after its full-text part, so the limit of a search
    // is how long we wait for the response, and a time-out closes the connection.
    db::Connection search_connection{config.database, std::chrono::ceil<std::chrono::seconds>(config.search.timeout), nullptr,
                                     db::Use::reads};
    std::array<db::Connection*, 3> connections{&connection, &search_connection, own_node.get()};  // null: there is none
    std::unique_ptr<lists::SearchEngine> search = make_search();
    identity::Users users{connection};
    identity::Tokens tokens{connection};
    identity::Sessions sessions{connection};
    identity::Passwords passwords{config.auth};
    identity::FailureWork failure_work{connection, passwords, clock};
    identity::SecondFactors second_factors{connection};
    identity::SignIn sign_in{users, tokens, passwords, second_factors, failure_work, clock};
    identity::Authenticator authenticator{tokens, sessions, clock};
    identity::DashboardSessions dashboard_sessions{sessions, users, sign_in, passwords, authenticator, clock};
    identity::InstanceKeys keys{connection};
    files::Store store{config.uploads.directory};
    versions::CollectionVersions collection_versions{reads, versions, config.database.version_check};
    versions::ResponseCache cache{config.http.remembered_bytes};
    lists::Lists lists{
        connection, reads, *search, config.search.timeout, collection_versions, cache, clock, config.http.base_url, [this] {
            return keys.get("lists", clock.now());
        }};
    api::Services services{config, clock, connection, reads,   lists, sign_in, dashboard_sessions,
                           keys,   store, limiter,    metrics, turns, pool};
    http::Router router{};

    std::unique_ptr<lists::SearchEngine> make_search();
    http::Response answer(RequestContext& context);
    void authenticate(RequestContext& context);
    void authenticate_token(RequestContext& context);
    void limit(RequestContext& context, const char* rate_class, const std::string& key, core::Rate rate, const char* text);
    void limit_reads(RequestContext& context);
    void limit_reads_of_others(RequestContext& context, api::Call& call);
    void limit_attempts(RequestContext& context, const std::string& email_key);
    void limit_writes(RequestContext& context);
    void limit_sign_in(RequestContext& context, api::Call& call);
    core::milliseconds time_to_begin(const RequestContext& context) const;
    limits::Turns::Turn await_turn(const RequestContext& context);

    std::chrono::microseconds database_time() const;
    void complete(RequestContext& context, http::Response& response);
    void cache_headers(const RequestContext& context, http::Response& response) const;
    void note_use(const RequestContext& context, http::Response& response);
    void log(const RequestContext& context, const http::Response& response, std::chrono::nanoseconds taken) const;
    void count(const RequestContext& context, const http::Response& response, std::chrono::nanoseconds taken);
};

}  // namespace tradepost
