#include "resources/users.h"

#include <string>
#include <vector>

#include "db/failure.h"
#include "db/sql.h"
#include "resources/enquiries/removal.h"

namespace tradepost::resources {
namespace {

constexpr std::int64_t rows_at_once = 500;

// Tables whose rows outlive their user; `index` is the one of its column `user_id`.
struct Table {
    const char* name;
    const char* index;
};
constexpr Table kept[] = {{"uploads", "uploads_user"}, {"record_history", "record_history_user"}};

std::vector<db::Value> of_user(db::Connection& connection, const Table& table, const core::Uuid& user_id) {
    std::vector<db::Value> ids;
    for (const auto& row : connection.query(
             "SELECT id FROM " + std::string(table.name) + " FORCE INDEX (" + table.index + ") WHERE user_id = ? LIMIT ?",
             {user_id, rows_at_once}))
        ids.emplace_back(row.uuid(0));
    return ids;
}

}  // namespace

bool is_referred_to(db::Connection& connection, const core::Uuid& user_id) {
    for (const auto& table : kept)
        if (!of_user(connection, table, user_id).empty()) return true;
    return !enquiries::sent_by(connection, user_id, 1).empty();
}

bool detach_some(db::Connection& connection, const core::Uuid& user_id) {
    for (const auto& table : kept) {
        const auto ids = of_user(connection, table, user_id);
        if (ids.empty()) continue;
        db::in_transaction(connection, [&] {
            connection.execute("UPDATE " + std::string(table.name) + " FORCE INDEX (PRIMARY) SET user_id = NULL WHERE id IN (" +
                                   db::placeholders(ids.size()) + ")",
                               ids);
        });
        return true;
    }
    return db::in_transaction(connection, [&] {
        return connection.execute("DELETE FROM idempotency_keys WHERE user_id = ? LIMIT ?", {user_id, rows_at_once}) > 0;
    });
}

bool remove_some(db::Connection& connection, const core::Clock& clock, const core::Uuid& user_id) {
    if (enquiries::forget_sender(connection, clock, user_id) || detach_some(connection, user_id)) return true;
    return db::in_transaction(connection, [&] {
        // A request that began before may have added something, and holds the user until its commit.
        connection.query("SELECT id FROM users WHERE id = ? FOR UPDATE", {user_id});
        db::conflict_on(connection, std::span(&user_id, 1));
        if (is_referred_to(connection, user_id)) return true;
        connection.execute("DELETE FROM users WHERE id = ?", {user_id});
        return false;
    });
}

}  // namespace tradepost::resources
