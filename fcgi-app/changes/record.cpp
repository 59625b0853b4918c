#include "changes/record.h"

#include "db/bulk_insert.h"
#include "db/statement.h"

namespace tradepost::changes {
namespace {

const std::string inserted = "changes (collection, row_id, organisation_id, kind, changed_at)";
const std::string now = "UTC_TIMESTAMP(3)";

}  // namespace

std::string_view to_string(Kind kind) {
    return kind == Kind::written ? "written" : "removed";
}

void record(db::Connection& connection, std::span<const Changed> changed) {
    db::BulkInsert rows(connection, inserted);
    for (const auto& each : changed)
        rows.add(db::literal(each.collection) + ", " + db::literal(each.id) + ", " + db::literal(each.organisation_id) + ", " +
                 db::literal(to_string(each.kind)) + ", " + now);
    rows.flush();
}

std::uint64_t record_all_of(db::Connection& connection, std::string_view collection, std::string_view table,
                            const core::Uuid& organisation_id) {
    return connection.execute("INSERT INTO " + inserted + " SELECT ?, id, organisation_id, ?, " + now + " FROM " +
                                  std::string(table) + " WHERE organisation_id = ?",
                              {collection, to_string(Kind::written), organisation_id});
}

}  // namespace tradepost::changes
