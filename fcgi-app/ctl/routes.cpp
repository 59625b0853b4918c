// routes: the table of the API.
#include "resources/routes.h"

#include "ctl/commands.h"
#include "ctl/output.h"

namespace tradepost::ctl {
namespace {

using api::Access;
using api::Pool;
using api::RateClass;

const char* name_of(Access access) {
    switch (access) {
        case Access::open:
            return "open";
        case Access::optional:
            return "optional";
        case Access::optional_token:
            return "optional token";
        case Access::bearer:
            return "token or session";
        case Access::token:
            return "token";
        case Access::session:
            return "session";
    }
    throw std::logic_error("no such access");
}

const char* name_of(RateClass limit) {
    switch (limit) {
        case RateClass::none:
            return "none";
        case RateClass::exempt:
            return "exempt";
        case RateClass::auth:
            return "auth";
        case RateClass::public_read:
            return "public reads";
        case RateClass::writes:
            return "writes";
    }
    throw std::logic_error("no such class");
}

const char* name_of(Pool pool) {
    switch (pool) {
        case Pool::api:
            return "api";
        case Pool::auth:
            return "auth";
        case Pool::uploads:
            return "uploads";
        case Pool::any:
            return "any";
    }
    throw std::logic_error("no such pool");
}

// A scope; "all" for what tokens with scopes may not do, "-" where none is asked for.
std::string name_of(const api::Needs& needs) {
    if (needs.kind == api::Needs::scope) return std::string(needs.text());
    return needs.kind == api::Needs::all ? "all" : "-";
}

Json table() {
    Json rows = Json::array();
    for (const auto& route : routes()) {
        const auto& rules = route.rules;
        rows.push_back({{"method", route.method},
                        {"path", route.path},
                        {"access", name_of(rules.access)},
                        {"scope", name_of(rules.needs)},
                        {"rate", name_of(*rules.limit)},
                        {"cost", limits::cost_names[std::size_t(*rules.cost)]},
                        {"body", rules.body},
                        {"pool", name_of(rules.pool)}});
    }
    return rows;
}

}  // namespace

void add_routes_command(Command app, Context& context) {
    const auto routes =
        app.add("routes", "list the routes of the API: who may call each, its rate limit, its cost, its longest body, its pool");
    on(routes, context, [&context] {
        print_list(table(), context.json);
        return 0;
    });
}

}  // namespace tradepost::ctl
