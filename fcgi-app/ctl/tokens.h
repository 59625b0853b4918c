// What the commands that mint and show tokens share.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ctl/context.h"
#include "ctl/output.h"
#include "identity/tokens/integrations.h"

namespace tradepost::ctl {

Json to_json(const identity::Token& token, core::Time now);
Json json_of(const identity::Integration& integration, core::Time now);

// The values of --name and --scope. Throw WrongUsage. Without a scope: all.
std::string token_name(const std::string& option);
std::optional<identity::Scopes> scopes_of(const std::vector<std::string>& options);

// The token alone, or with --json what is known of it.
void print_minted(Context& context, const identity::MintedToken& minted);

}  // namespace tradepost::ctl
