#include "api/tokens.h"

#include "api/scopes.h"
#include "fields/json.h"

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

}  // namespace tradepost::api
