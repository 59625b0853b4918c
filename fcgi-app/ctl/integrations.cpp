// integration add, list, remove, mint
#include "identity/tokens/integrations.h"

#include <iostream>

#include "core/text.h"
#include "ctl/commands.h"
#include "ctl/tokens.h"
#include "fields/field.h"
#include "identity/tokens/tokens.h"
#include "resources/accounts/background.h"
#include "writes/transaction.h"

namespace tradepost::ctl {

Json json_of(const identity::Integration& integration, core::Time now) {
    Json tokens = Json::array();
    for (const auto& token : integration.tokens) {
        tokens.push_back(to_json(token, now));
        if (token.minter)
            tokens.back()["createdBy"] = {{"id", token.minter->id.to_string()}, {"name", token.minter->name}};
        else
            tokens.back()["createdBy"] = nullptr;
    }
    return {{"id", integration.id.to_string()},
            {"name", integration.name},
            {"createdAt", core::to_rfc3339(integration.created_at)},
            {"tokens", tokens}};
}

namespace {

struct IntegrationOptions {
    std::string organisation, name, id;
    std::vector<std::string> scopes;
};

// Runs `work` with the organisation held, so that what it counts stays so.
auto with_organisation(Context& context, const IntegrationOptions& options, auto&& work) {
    const auto id = context.organisation(options.organisation).id;
    return db::in_transaction(context.connection(), [&] {
        context.connection().query("SELECT 1 FROM organisations WHERE id = ? FOR UPDATE", {id});
        return work(id);
    });
}

core::Uuid id_of(const IntegrationOptions& options) {
    const auto id = core::Uuid::parse(options.id);
    if (!id) throw WrongUsage("--id: must be an integration's id as tradepostctl integration list shows it");
    return *id;
}

Failure unknown(const IntegrationOptions& options) {
    return Failure("there is no integration " + options.id + " of " + options.organisation +
                   ": see tradepostctl integration list");
}

int add_integration(Context& context, const IntegrationOptions& options) {
    if (!core::is_utf8(options.name)) throw WrongUsage("--name: must be valid UTF-8");
    constexpr auto rule = fields::rules::required_text(120);
    const auto name = fields::normalised(rule, options.name);
    if (const auto fault = fields::fault(rule, name)) throw WrongUsage("--name: " + *fault);
    const auto added = with_organisation(context, options, [&](const core::Uuid& organisation) {
        return identity::Integrations(context.connection()).add(organisation, name, context.now());
    });
    if (!added) throw Failure(options.organisation + " has too many integrations: remove one first");
    if (context.json)
        print(json_of(*added, context.now()));
    else
        std::cout << "added " << added->name << " " << added->id.to_string() << "\n";
    return 0;
}

int list_integrations(Context& context, const IntegrationOptions& options) {
    Json all = Json::array();
    const auto organisation = context.organisation(options.organisation).id;
    for (const auto& integration : identity::Integrations(context.connection()).of_organisation(organisation, context.now()))
        all.push_back(json_of(integration, context.now()));
    print_list(all, context.json);
    return 0;
}

int remove_integration(Context& context, const IntegrationOptions& options) {
    const auto id = id_of(options);
    const bool removed = with_organisation(context, options, [&](const core::Uuid& organisation) {
        return accounts::remove_integration(context.connection(), organisation, id, context.now());
    });
    if (!removed) throw unknown(options);
    if (context.json)
        print({{"id", id.to_string()}, {"removed", true}});
    else
        std::cout << "removed " << id.to_string() << "\n";
    return 0;
}

int mint_token(Context& context, const IntegrationOptions& options) {
    const auto id = id_of(options);
    const auto name = token_name(options.name);
    const auto scopes = scopes_of(options.scopes);
    const auto minted =
        with_organisation(context, options, [&](const core::Uuid& organisation) -> std::optional<identity::MintedToken> {
            if (!identity::Integrations(context.connection()).lock(organisation, id)) return {};
            return identity::mint_within(context.connection(), id, name, context.clock, {}, scopes);
        });
    if (!minted) throw unknown(options);
    print_minted(context, *minted);
    return 0;
}

}  // namespace

void add_integration_commands(Command app, Context& context) {
    const auto options = std::make_shared<IntegrationOptions>();
    const auto group = app.add_group("integration", "programs that act for an organisation, with tokens of their own");
    const auto command = [&](const char* name, const char* help, auto run) {
        const auto c = group.add(name, help);
        c.required("--org", options->organisation, "the organisation's slug", "S");
        on(c, context, [&context, options, run] { return run(context, *options); });
        return c;
    };
    command("add", "add an integration", add_integration).required("--name", options->name, "its name", "N");
    command("list", "list an organisation's integrations and their tokens", list_integrations);
    command("remove", "delete an integration and its tokens", remove_integration).required("--id", options->id, "its id", "ID");
    const auto minting = command("mint", "create a token and print it; it cannot be printed again", mint_token);
    minting.required("--id", options->id, "the integration's id", "ID");
    minting.required("--name", options->name, "the token's purpose", "N");
    minting.list("--scope", options->scopes, "what it may be used for, repeated or with commas; without any: all", "SCOPE");
}

}  // namespace tradepost::ctl
