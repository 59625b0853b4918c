// The history of rows: who changed a stock item, a job, an event or a post, and what.
#pragma once
#include <chrono>
#include <optional>
#include <string_view>

#include "core/time.h"
#include "core/uuid.h"
#include "db/bulk_insert.h"
#include "db/connection.h"

namespace tradepost::writes {

// `prune` removes what is older.
inline constexpr std::chrono::days history_is_kept{400};

// Inside the transaction that changes the rows.
class History {
public:
    // `collection`: `.name` of a description, such as stock; not copied. `user`: who does it. Without one, as when an operator imports, nothing is recorded.
    History(db::Connection& connection, std::string_view collection, const std::optional<core::Uuid>& user);

    void created(const core::Uuid& id, core::Time at);

    // `changes`: the JSON list of what differs (fields::write_differences()). An empty one is not recorded.
    void changed(const core::Uuid& id, core::Time at, std::string_view changes);

    void flush() { rows_.flush(); }

private:
    void add(const core::Uuid& id, core::Time at, std::string_view kind, std::string_view changes);

    std::string_view collection_;
    std::optional<core::Uuid> user_;
    db::BulkInsert rows_;
};

// With the row itself.
void forget_history(db::Connection& connection, std::string_view collection, const core::Uuid& id);

}  // namespace tradepost::writes
