// The parts of an App, for its own files alone: app.cpp is the pipeline, app_response.cpp completes and records responses, app_test_fault.cpp makes faults for tests.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "api/route.h"
#include "app.h"
#include "http/error.h"
#include "http/router.h"
#include "identity/authenticator.h"
#include "limits/admission.h"
#include "lists/search_engine.h"
#include "resources/accounts/program_use.h"

namespace tradepost {

using api::Call;

// A request that waits for its share of the workers, without a worker.
struct Waiting {
    limits::Cost cost;
    std::vector<std::string> who;
    std::chrono::steady_clock::time_point since;
    limits::Admission::Refusal refusal;      // what it got last
    std::optional<limits::Verdict> verdict;  // of the rate limit, which counts it once
    std::optional<identity::Principal> principal;
    std::optional<identity::TokenFault> ignored_token;
    std::optional<api::TestFault> fault;
    std::optional<core::Uuid> observation;
};

// A request that is answered later, because it asked for that.
struct Sleeping {
    std::string who;
    std::chrono::steady_clock::time_point until;
};

// The response to a request that failed.
http::Response failed(Call& call, const http::ApiError& error);
http::Response failed(Call& call, const db::Error& error);

struct App::Impl {
    const core::Config& config;
    const core::Clock& clock;
    limits::Limiter& limiter;
    versions::SharedVersions* versions;
    metrics::Metrics* metrics;
    std::string pool;
    limits::Admission* admission;
    std::span<const api::Route> table;
    core::Time started = clock.now();
    std::chrono::seconds read_timeout =
        config.database.hosts.empty() ? config.database.answer_timeout : db::Connection::cluster_read_timeout;
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
    lists::Lists lists{connection,
                       reads,
                       *search,
                       config.search.timeout,
                       collection_versions,
                       cache,
                       clock,
                       config.http.base_url,
                       [this] { return keys.get("lists", clock.now()); },
                       [this] { admit(core::present(current), limits::Cost::search); }};
    accounts::ProgramUse program_use{};
    api::Services services{config,
                           clock,
                           connection,
                           reads,
                           lists,
                           sign_in,
                           dashboard_sessions,
                           keys,
                           store,
                           limiter,
                           metrics,
                           admission ? &admission->turns() : nullptr,
                           pool};
    http::Router router{};
    Call* current = nullptr;                          // the request that is being answered
    const Waiting* resumed = nullptr;                 // set if it has waited for its share
    const http::Request* slept = nullptr;             // set if it is answered later, and now
    std::map<std::string, std::size_t> waiting = {};  // how many requests of each caller wait for their shares
    std::string refused = {};  // the caller, or the cost of all callers, that was refused last, at `refused_at`
    std::chrono::steady_clock::time_point refused_at{};

    std::unique_ptr<lists::SearchEngine> make_search();
    http::Response handle(const http::Request& request, const Waiting* resumed);
    http::Response answer(Call& call);
    void find_route(Call& call);
    void identify(Call& call);
    void authenticate(Call& call);
    void authenticate_token(Call& call);
    void refuse_leaked(Call& call);
    void limit(Call& call, const char* rate_class, const std::string& key, core::Rate rate, const char* text);
    void limit_reads(Call& call);
    void limit_attempts(Call& call);
    void limit_writes(Call& call);
    http::Response await_share(const http::Request& request, std::shared_ptr<Waiting> held);
    bool may_wait(const std::string& caller) const;
    void make_fault(Call& call);
    http::Response sleep(const http::Request& request, const Sleeping& sleeping);
    void end_fault(Call& call, http::Response& response);
    void admit(Call& call, limits::Cost cost);
    core::milliseconds waited_for_worker(const Call& call) const;
    core::milliseconds time_to_begin(const Call& call) const;

    std::chrono::microseconds database_time() const;
    void complete(Call& call, http::Response& response);
    void cache_headers(Call& call, http::Response& response) const;
    void count_use(const Call& call, const http::Response& response);
    void note_use(const Call& call, http::Response& response);
    void log(const Call& call, const http::Response& response, std::chrono::nanoseconds taken) const;
    void count(const Call& call, const http::Response& response, std::chrono::nanoseconds taken);
};

}  // namespace tradepost
