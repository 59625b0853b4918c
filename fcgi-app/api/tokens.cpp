#include "api/tokens.h"

#include "fields/json.h"
#include "http/error.h"
#include "json/parse.h"

namespace tradepost::api {

AskedToken read_token(const json::Json& body) {
    static const fields::Field<AskedToken> fields[] = {{"name", fields::rules::required_text(80), &AskedToken::name}};
    const std::span<const fields::Field<AskedToken>> all(fields);
    fields::refuse_unknown(body, all, {"scopes"});
    AskedToken asked;
    fields::read_fields(body, all, asked, fields::Reading::create);
    asked.scopes = read_scopes(body);
    return asked;
}

void write_token(json::Writer& writer, const identity::Token& token) {
    writer.member("id", token.id).member("name", token.name);
    writer.member("createdAt", token.created_at).member("expiresAt", token.expires_at);
    writer.member("lastUsedAt", token.last_used_at);
    write_scopes(writer, token.scopes);
}

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
