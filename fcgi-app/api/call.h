// What a handler is given, and the rows of the route table.
#pragma once
#include <span>
#include <string>
#include <vector>

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
    std::vector<std::string> parameters;       // of the path, decoded
    http::Query query;
    json::Json body;                           // an object where the route takes a body
    std::optional<auth::Principal> principal;  // always there where the route's access is `bearer`
};

enum class Access {
    open,      // no credential is looked at
    optional,  // an unusable token counts as none
    bearer,    // 401 without a usable one
};

enum class RateClass { none, auth, public_read, write };

struct Route {
    const char* method;
    const char* path;
    Access access;
    RateClass rate_class;
    std::size_t body_limit;  // bytes; 0: the route takes no body
    http::Response (*handler)(Call&);
};

}  // namespace tradepost::api
