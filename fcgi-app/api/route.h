// The rows of the route table: who may call a route, what it costs, and the function that answers. A row says what differs from a route for
// members with a token or a session: so what somebody forgets is closed, or limited.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/call.h"
#include "http/response.h"
#include "identity/authenticator.h"
#include "identity/tokens/scopes.h"
#include "limits/admission.h"

namespace tradepost::api {

enum class Access {
    open,            // no credential is read
    optional,        // a token or a session; one that cannot be used is ignored
    optional_token,  // a token; the cookie of a session is not read
    bearer,          // 401 without a usable token or session
    token,           // 401 without a usable token; the cookie of a session is not read
    session,         // 401 without a usable session; a token is not read
};

constexpr bool takes_token(Access access) {
    return access != Access::open && access != Access::session;
}
constexpr bool takes_session(Access access) {
    return access == Access::optional || access == Access::bearer || access == Access::session;
}
constexpr bool is_optional(Access access) {
    return access == Access::optional || access == Access::optional_token;
}

// What a token needs for a route; sessions, and tokens without a list of scopes, have all.
struct Needs {
    enum Kind : std::uint8_t {
        all,      // closed to tokens with scopes, such as what would give lasting rights beyond them
        nothing,  // any token will do, or none is read
        scope,
    };
    Kind kind = all;
    identity::Scope which = {};

    constexpr Needs() = default;
    constexpr Needs(Kind of) : kind(of) {}
    constexpr Needs(identity::Scope of) : kind(scope), which(of) {}

    bool met_by(const identity::Token& token) const {
        if (!token.scopes || kind == nothing) return true;
        return kind == scope && identity::permits(*token.scopes, which);
    }
    std::string_view text() const { return kind == scope ? identity::to_string(which) : std::string_view(); }
};

// The pool of workers that answers, to which nginx passes the path.
enum class Pool { api, auth, uploads, any };

enum class RateClass {
    none,    // of reads
    exempt,  // a write that counts nowhere: a comment behind its row says why
    auth,
    public_read,
    writes
};

inline constexpr std::size_t json_body = 1 << 20, upload_body = 12 << 20;  // bytes
inline constexpr std::string_view organisation_parameter[] = {"organisationId"};

// A row says the rest here, beside method, path and function.
struct Rules {
    Access access = Access::bearer;
    Needs needs = {};                       // of a token; a route that takes none needs nothing
    std::optional<RateClass> limit = {};    // else `writes`, and none for GET
    std::optional<limits::Cost> cost = {};  // else that of a write, and `cheap` for GET; of `auth` hash, and of `exempt` cheap
    std::size_t body = 0;                   // its most bytes; 0: the route takes no body
    Pool pool = Pool::api;
    std::span<const std::string_view> parameters = {};  // of the query of a write, which refuses all others; a GET ignores others
    bool is_tagged = false;  // it calls check_preconditions(), or leaves that to the route for which it checks a body
    identity::CallerDetail caller = identity::CallerDetail::roles;
    void (*before_body)(Call&) = nullptr;  // throws what comes before anything about the body
    bool (*is_own_read)(const Call&) =
        nullptr;  // of a public read: whether a member asks for what is their own, which counts nowhere
    std::optional<http::Deprecation> deprecation = {};
};

struct Route {
    using Function = http::Response (*)(Call&);

    Route(std::string_view of_method, std::string of_path, Function function, const Rules& of_rules = {})
        : method(of_method), path(std::move(of_path)), answer(function), rules(of_rules) {
        const bool reads = method == "GET";
        if (!takes_token(rules.access)) rules.needs = Needs::nothing;
        if (!rules.limit) rules.limit = reads ? RateClass::none : RateClass::writes;
        if (!rules.cost)
            rules.cost = rules.limit == RateClass::auth              ? limits::Cost::hash
                         : reads || rules.limit == RateClass::exempt ? limits::Cost::cheap
                                                                     : limits::Cost::write;
    }

    std::string_view method;
    std::string path;
    Function answer;
    Rules rules;  // all that were left out are filled in
};

}  // namespace tradepost::api
