// Scopes: what a token may be used for. A token without any list of them may do all that its user may.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tradepost::identity {

enum class Scope : std::uint8_t {
    account_read,
    account_write,
    enquiries_read,
    enquiries_write,
    jobs_read,
    jobs_write,
    stock_read,
    stock_write,
    uploads_write,
};

// In the order of Scope, which is that of the alphabet.
inline constexpr std::array<std::string_view, 9> scope_names{"account:read",    "account:write", "enquiries:read",
                                                             "enquiries:write", "jobs:read",     "jobs:write",
                                                             "stock:read",      "stock:write",   "uploads:write"};
static_assert(std::size_t(Scope::uploads_write) + 1 == scope_names.size());

using Scopes = std::set<Scope>;

inline constexpr std::string_view to_string(Scope scope) {
    return scope_names[std::size_t(scope)];
}
std::optional<Scope> parse_scope(std::string_view name);

// Whether these contain the scope, or the one to write what it reads.
bool permits(const Scopes& granted, Scope needed);

// In the order of the alphabet.
std::vector<std::string> names(const Scopes& scopes);

// The form of RFC 6749, section 3.3, in which they are stored: names with a space between them. What is read leaves out names that this
// release does not know, and so permits less.
std::string to_text(const Scopes& scopes);
Scopes parse_scopes(std::string_view text);

// Those with these names. Otherwise what is wrong, as the client is told after the field's name: an empty list, which would be a token for
// nothing, or an unknown name.
struct NamedScopes {
    Scopes scopes;
    std::optional<std::string> fault;
};
NamedScopes scopes_named(const std::vector<std::string>& names);

}  // namespace tradepost::identity
