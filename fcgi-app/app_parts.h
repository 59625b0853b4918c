// What an App is made of, for the files of its pipeline alone: app_answer.cpp checks and answers a request, app.cpp does what comes
// before and after.
#pragma once
#include <optional>
#include <string>

#include "api/call.h"
#include "app.h"
#include "auth/authenticator.h"
#include "http/router.h"

namespace tradepost {

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
    api::Remembered remembered{config.http.remembered_bytes};
    api::Services services{config, clock, users,     tokens,      memberships, organisations, sign_in, jobs,   events,
                           posts,  stock, enquiries, collections, changes,     uploads,       store,   health, remembered, dashboard_sessions,
                           limiter, metrics, pool};
    http::Router router{};

    void limit(Passage& passage, const char* rate_class, std::string key, core::Rate rate, const char* text);
    void limit_reads(Passage& passage);
    void limit_attempts(Passage& passage, const std::string& email_key);
    void limit_writes(Passage& passage);
    void authenticate(Passage& passage);
    http::Response answer(Passage& passage);
    void note_use(const auth::Principal& principal, http::Response& response);
    void finish(Passage& passage, http::Response& response);
    void log(const Passage& passage, const http::Response& response, std::chrono::nanoseconds taken);
    void count(const Passage& passage, const http::Response& response, std::chrono::nanoseconds taken);
};

}  // namespace tradepost
