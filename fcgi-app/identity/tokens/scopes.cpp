#include "identity/tokens/scopes.h"

#include <algorithm>

namespace tradepost::identity {
namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
    std::string text;
    for (const auto& part : parts) text.append(text.empty() ? "" : between).append(part);
    return text;
}

}  // namespace

std::optional<Scope> parse_scope(std::string_view name) {
    const auto found = std::find(scope_names.begin(), scope_names.end(), name);
    if (found == scope_names.end()) return {};
    return Scope(found - scope_names.begin());
}

bool permits(const Scopes& granted, Scope needed) {
    if (granted.contains(needed)) return true;
    switch (needed) {
        case Scope::account_read:
            return granted.contains(Scope::account_write);
        case Scope::enquiries_read:
            return granted.contains(Scope::enquiries_write);
        case Scope::jobs_read:
            return granted.contains(Scope::jobs_write);
        case Scope::stock_read:
            return granted.contains(Scope::stock_write);
        default:
            return false;
    }
}

std::vector<std::string> names(const Scopes& scopes) {
    std::vector<std::string> names;
    for (const auto scope : scopes) names.emplace_back(to_string(scope));
    return names;
}

std::string to_text(const Scopes& scopes) {
    return joined(names(scopes), " ");
}

Scopes parse_scopes(std::string_view text) {
    Scopes scopes;
    while (!text.empty()) {
        const auto end = std::min(text.find(' '), text.size());
        if (const auto scope = parse_scope(text.substr(0, end))) scopes.insert(*scope);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return scopes;
}

NamedScopes scopes_named(const std::vector<std::string>& names) {
    NamedScopes result;
    if (names.empty()) result.fault = "must name a scope, or be left out for all";
    for (const auto& name : names) {
        if (const auto scope = parse_scope(name))
            result.scopes.insert(*scope);
        else
            result.fault = "must have only " + joined({scope_names.begin(), scope_names.end()}, ", ");
    }
    return result;
}

}  // namespace tradepost::identity
