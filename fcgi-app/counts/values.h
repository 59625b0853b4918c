// Texts that facets count, each with a number that names it in counts and in the search server.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "db/connection.h"

namespace tradepost::counts {

// The first 63 bits of the text's SHA-256.
std::uint64_t value_id(std::string_view text);

using Values = std::map<std::uint64_t, std::string>;  // texts by their ids

// Stores those that are not yet there, inside the transaction of what counts them. A text that is there is not locked. Throws db::Error when
// another text has the id of one of them.
void write_values(db::Connection& connection, const Values& values);

// Those that a process has read: a text never changes.
class Texts {
public:
    // Reads those of the ids that are not known yet.
    void learn(db::Connection& connection, std::span<const std::uint64_t> ids);
    // Null for an id that learn() did not find. Valid until the next call of learn().
    const std::string* find(std::uint64_t id) const;

private:
    std::unordered_map<std::uint64_t, std::string> known_;
};

}  // namespace tradepost::counts
