// Deletions: what is left of rows that are gone, for those who follow a list.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/time.h"
#include "core/uuid.h"
#include "writes/transaction.h"

namespace tradepost::writes {

struct Deletion {
    std::string_view collection;
    core::Uuid id, organisation_id;
    std::optional<std::string> reference;
    core::Time deleted_at;  // later than all polls of the organisation, which is locked: lists::after_polls()
};

// Inside the transaction that deletes the row. Its history goes with it.
void record_deletion(WriteTransaction& transaction, const Deletion& deletion);

// How long they can be asked for. `prune` leaves them a day longer, since clocks of hosts differ.
inline constexpr std::chrono::days deletions_are_shown{90}, deletions_are_kept{91};

}  // namespace tradepost::writes
