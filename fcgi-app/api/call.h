// What a handler is given, and the rows of the route table.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "api/body.h"
#include "api/services.h"
#include "auth/principal.h"
#include "http/query.h"
#include "http/request.h"
#include "http/response.h"
#include "json/parse.h"

namespace tradepost::api {

struct Call {
    Services& services;
    const http::Request& request;
    std::vector<std::string> parameters;  // of the path, decoded
    http::Query query;
    std::optional<auth::Principal> principal;  // always there where the route's access is neither open nor optional
    std::optional<json::Json> parsed_body;

    // The JSON object of a route that takes a body, read at the first call: what a handler checks before comes before its errors.
    // Throws as parse_body().
    json::Json& body() {
        if (!parsed_body) parsed_body = parse_body(request);
        return *parsed_body;
    }
};

enum class Access {
    open,            // no credential is looked at
    optional,        // a token, or else a session; what is unusable counts as none
    optional_token,  // a token; a session's cookie is not looked at
    bearer,          // 401 without a usable token or session
    token,           // 401 without a usable token
    session,         // 401 without a usable session; a token is not looked at
};

inline bool takes_token(Access access) { return access != Access::open && access != Access::session; }
inline bool takes_session(Access access) { return access == Access::optional || access == Access::bearer || access == Access::session; }
inline bool is_optional(Access access) { return access == Access::optional || access == Access::optional_token; }

enum class RateClass { none, auth, public_read, write };

struct Route {
    const char* method;
    const char* path;
    Access access;
    RateClass rate_class;
    std::size_t body_limit;  // bytes; 0: the route takes no body
    http::Response (*handler)(Call&);
    repo::Wanted of_caller = repo::Wanted::roles;
};

}  // namespace tradepost::api
