// Recording what a transaction changes: the writers' part of the change log (README.md).
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::changes {

enum class Kind { written, removed };

std::string_view to_string(Kind kind);

struct Changed {
    std::string_view collection;  // as List::collection; not copied
    core::Uuid id;
    std::optional<core::Uuid> organisation_id;
    Kind kind;
};

// Inside the transaction that changes them. Waits for nobody. Throws db::Error.
void record(db::Connection& connection, std::span<const Changed> changed);

// The same for all rows of `table`, which has a column organisation_id, that this organisation has. Nobody may add some meanwhile: the
// transaction holds the organisation locked. Returns how many there are.
std::uint64_t record_all_of(db::Connection& connection, std::string_view collection, std::string_view table,
                            const core::Uuid& organisation_id);

}  // namespace tradepost::changes
