// The call of a handler, and the rows of the route table.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/body.h"
#include "api/services.h"
#include "core/present.h"
#include "http/deprecation.h"
#include "http/query.h"
#include "http/request.h"
#include "http/response.h"
#include "identity/principal.h"
#include "identity/scopes.h"
#include "json/value.h"

namespace tradepost::api {

struct Call {
    Services& services;
    const http::Request& request;
    std::vector<std::string> parameters;  // of the path, decoded
    http::Query query;
    std::optional<identity::Principal> principal;  // never empty if the route's access is neither open nor optional

    // Who sent the request, on routes that demand a credential or a session; throws std::logic_error on others.
    const identity::Principal& caller() const { return core::present(principal); }
    const identity::Session& session() const { return core::present(caller().session); }

    // The JSON object of a route that takes a body, parsed at the first call: errors that a handler throws before that call come
    // before the errors of the JSON. Throws as parse_body().
    json::Json& body();
    std::shared_ptr<json::Json> parsed_body;  // body()'s own
};

enum class Access {
    open,            // no credential is read
    optional,        // a token or a session; one that cannot be used is ignored
    optional_token,  // a token; the cookie of a session is not read
    bearer,          // 401 without a usable token or session
    token,           // 401 without a usable token; the cookie of a session is not read
    session,         // 401 without a usable session; a token is not read
};

inline bool takes_token(Access access) {
    return access != Access::open && access != Access::session;
}
inline bool takes_session(Access access) {
    return access == Access::optional || access == Access::bearer || access == Access::session;
}
inline bool is_optional(Access access) {
    return access == Access::optional || access == Access::optional_token;
}

// What a token needs for a route; sessions, and tokens without a list of scopes, have all. A route that names nothing is closed to tokens
// with scopes.
struct Needs {
    enum class Kind : std::uint8_t {
        all,      // closed to tokens with scopes, such as what would give lasting rights beyond them
        nothing,  // any token will do, or none is read
        scope,
    };
    Kind kind = Kind::all;
    identity::Scope scope = {};

    constexpr Needs() = default;
    constexpr Needs(Kind which) : kind(which) {}
    constexpr Needs(identity::Scope which) : kind(Kind::scope), scope(which) {}

    bool met_by(const identity::Token& token) const {
        if (!token.scopes || kind == Kind::nothing) return true;
        return kind == Kind::scope && identity::permits(*token.scopes, scope);
    }
    std::string_view text() const { return kind == Kind::scope ? identity::to_string(scope) : std::string_view(); }
};

// The pool of workers that answers, to which nginx passes the path.
enum class Pool { api, auth, uploads, any };

enum class RateClass { none, auth, public_read, write };

struct Route {
    const char* method;
    const char* path;
    Access access;
    Needs needs;
    RateClass rate_class;
    std::size_t body_limit;  // bytes; 0: the route takes no body
    Pool pool;
    http::Response (*handler)(Call&);
    identity::CallerDetail caller_detail = identity::CallerDetail::roles;
    void (*before_body)(Call&) = nullptr;  // throws what comes before anything about the body
    std::optional<http::Deprecation> deprecation = {};
};

}  // namespace tradepost::api
