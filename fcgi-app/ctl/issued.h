// The options and the output of commands that end a person's rights, about tokens of integrations that the person created.
#pragma once
#include <span>
#include <string>

#include "ctl/commands.h"
#include "ctl/output.h"
#include "identity/tokens/issued.h"

namespace tradepost::ctl {

inline void revoke_option(Command command, bool& into) {
    command.flag("--revoke-integration-tokens", into,
                 "also revoke tokens of integrations that the user created; without it they are listed and go on working");
}

inline identity::IntegrationTokens tokens_option(bool revoke) {
    return revoke ? identity::IntegrationTokens::revoke : identity::IntegrationTokens::keep;
}

inline Json to_json(std::span<const identity::IssuedToken> tokens) {
    Json all = Json::array();
    for (const auto& token : tokens)
        all.push_back({{"id", token.id.to_string()},
                       {"name", token.name},
                       {"integration", token.integration},
                       {"organisation", token.organisation}});
    return all;
}

// A line for each.
inline std::string lines_of(std::span<const identity::IssuedToken> tokens) {
    std::string lines;
    for (const auto& token : tokens)
        lines += "still works: token \"" + token.name + "\" of integration \"" + token.integration + "\" of " +
                 token.organisation + ": end it with tradepostctl token revoke --id " + token.id.to_string() + "\n";
    return lines;
}

}  // namespace tradepost::ctl
