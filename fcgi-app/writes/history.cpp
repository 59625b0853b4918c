#include "writes/history.h"

#include "db/statement.h"

namespace tradepost::writes {

History::History(db::Connection& connection, std::string_view collection, const std::optional<core::Uuid>& user)
    : collection_(collection),
      user_(user),
      rows_(connection, "record_history (id, collection, row_id, user_id, kind, changes, changed_at)") {}

void History::created(const core::Uuid& id, core::Time at) {
    add(id, at, "CREATED", "[]");
}

void History::changed(const core::Uuid& id, core::Time at, std::string_view changes) {
    if (changes != "[]") add(id, at, "CHANGED", changes);
}

void History::add(const core::Uuid& id, core::Time at, std::string_view kind, std::string_view changes) {
    if (!user_) return;
    rows_.add(db::literal(core::Uuid::v7(at)) + ", " + db::literal(collection_) + ", " + db::literal(id) + ", " +
              db::literal(*user_) + ", " + db::literal(kind) + ", " + db::literal(changes) + ", " + db::literal(at));
}

void forget_history(db::Connection& connection, std::string_view collection, const core::Uuid& id) {
    connection.execute("DELETE FROM record_history WHERE row_id = ? AND collection = ?", {id, collection});
}

}  // namespace tradepost::writes
