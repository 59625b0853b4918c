#include "api/scopes.h"

#include "http/error.h"
#include "json/parse.h"

namespace tradepost::api {

std::optional<identity::Scopes> read_scopes(const json::Json& body) {
    const auto found = body.find("scopes");
    if (found == body.end() || found->is_null()) return {};
    if (!found->is_array()) throw http::invalid_field("scopes", "must be a list of strings");
    std::vector<std::string> names;
    for (const auto& name : *found) {
        if (!name.is_string()) throw http::invalid_field("scopes", "must be a list of strings");
        names.push_back(name.get<std::string>());
    }
    const auto [scopes, fault] = identity::scopes_named(names);
    if (fault) throw http::invalid_field("scopes", *fault);
    return scopes;
}

void write_scopes(json::Writer& writer, const std::optional<identity::Scopes>& scopes) {
    writer.name("scopes");
    if (!scopes) {
        writer.null();
        return;
    }
    writer.begin_array();
    for (const auto& name : identity::names(*scopes)) writer.value(name);
    writer.end_array();
}

}  // namespace tradepost::api
