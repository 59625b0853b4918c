// token mint, list, revoke, whois
#include "ctl/tokens.h"

#include <iostream>

#include "core/text.h"
#include "ctl/commands.h"
#include "ctl/output.h"
#include "fields/field.h"

namespace tradepost::ctl {
namespace {

struct TokenOptions {
    std::string email, name, id;
    std::vector<std::string> scopes;
};

}  // namespace

Json to_json(const identity::Token& token, core::Time now) {
    return {{"id", token.id.to_string()},
            {"name", to_json(token.name)},
            {"createdAt", core::to_rfc3339(token.created_at)},
            {"expiresAt", core::to_rfc3339(token.expires_at)},
            {"revokedAt", to_json(token.revoked_at)},
            {"lastUsedAt", to_json(token.last_used_at)},
            {"scopes", token.scopes ? Json(identity::names(*token.scopes)) : Json()},
            {"active", token.active(now)}};
}

std::string token_name(const std::string& option) {
    if (!core::is_utf8(option)) throw WrongUsage("--name: must be valid UTF-8");
    constexpr auto rule = fields::rules::required_text(80);
    const auto name = fields::normalised(rule, option);
    if (const auto fault = fields::fault(rule, name)) throw WrongUsage("--name: " + *fault);
    return name;
}

std::optional<identity::Scopes> scopes_of(const std::vector<std::string>& options) {
    if (options.empty()) return {};
    auto [scopes, fault] = identity::scopes_named(options);
    if (fault) throw WrongUsage("--scope: " + *fault);
    return scopes;
}

void print_minted(Context& context, const identity::MintedToken& minted) {
    if (!context.json) {
        std::cout << minted.plain << "\n";
        return;
    }
    auto document = to_json(minted.token, context.now());
    document["token"] = minted.plain;
    print(document);
}

namespace {

int mint(Context& context, const TokenOptions& options) {
    const auto name = token_name(options.name);
    const auto scopes = scopes_of(options.scopes);
    const auto user = context.user(options.email);
    const auto minted = identity::Tokens(context.connection()).mint(user.id, name, context.clock, {}, scopes);
    if (!minted) throw Failure("the user " + user.email + " is disabled and can have no token");
    print_minted(context, *minted);
    return 0;
}

int list(Context& context, const TokenOptions& options) {
    Json all = Json::array();
    for (const auto& token : identity::Tokens(context.connection()).list(context.user(options.email).id))
        all.push_back(to_json(token, context.now()));
    print_list(all, context.json);
    return 0;
}

int revoke(Context& context, const TokenOptions& options) {
    const auto id = core::Uuid::parse(options.id);
    if (!id) throw WrongUsage("--id: must be a token's id as tradepostctl token list shows it");
    if (!identity::Tokens(context.connection()).revoke(*id, context.now()))
        throw Failure("no token " + options.id + " is left to revoke: see tradepostctl token list");
    if (context.json)
        print({{"id", id->to_string()}, {"revoked", true}});
    else
        std::cout << "revoked " << id->to_string() << "\n";
    return 0;
}

int whois(Context& context) {
    std::string line;
    std::getline(std::cin, line);
    const std::string_view plain = core::trim(line);
    if (plain.size() != 64 || plain.find_first_not_of("0123456789abcdef") != std::string_view::npos)
        throw Failure("standard input holds no token: write the 64 lower-case hexadecimal characters to it");
    const auto found = identity::Tokens(context.connection()).find_active(identity::token_hash(plain), context.now());
    if (!found) throw Failure("the token is unknown, expired or revoked, or its user is disabled");
    auto document = to_json(found->token, context.now());
    const auto email = found->user_email.empty() ? std::nullopt : std::optional(found->user_email);
    document["user"] = {{"id", found->token.user_id.to_string()}, {"email", to_json(email)}, {"name", found->user_name}};
    if (context.json)
        print(document);
    else
        std::cout << email.value_or("integration") << " " << found->user_name << "\n"
                  << "token " << found->token.id.to_string() << (found->token.name ? " \"" + *found->token.name + "\"" : "")
                  << ", expires " << core::to_rfc3339(found->token.expires_at) << "\n"
                  << "scopes " << (found->token.scopes ? identity::to_text(*found->token.scopes) : "all") << "\n";
    return 0;
}

}  // namespace

void add_token_commands(Command app, Context& context) {
    const auto options = std::make_shared<TokenOptions>();
    const auto token = app.add_group("token", "API tokens");
    const auto of_user = [&](const char* name, const char* help) {
        const auto c = token.add(name, help);
        c.required("--email", options->email, "the user's address", "E");
        return c;
    };
    const auto minting = of_user("mint", "create a token and print it; it cannot be printed again");
    minting.required("--name", options->name, "the token's purpose", "N");
    minting.list("--scope", options->scopes, "what it may be used for, repeated or with commas; without any: all", "SCOPE");
    on(minting, context, [&context, options] { return mint(context, *options); });
    on(of_user("list", "list a user's tokens"), context, [&context, options] { return list(context, *options); });
    const auto revoking = token.add("revoke", "revoke a token at once");
    revoking.required("--id", options->id, "the token's id", "ID");
    on(revoking, context, [&context, options] { return revoke(context, *options); });
    on(token.add("whois", "show the user of the token on standard input"), context, [&context] { return whois(context); });
}

}  // namespace tradepost::ctl
