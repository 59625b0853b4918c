#include "writes/content_writer.h"

#include "core/text.h"
#include "db/sql.h"

namespace tradepost::writes {

namespace detail {

void read_publishers(db::Connection& connection, const std::vector<core::Uuid>& ids, std::map<core::Uuid, Publisher>& known) {
    if (ids.empty()) return;
    const std::vector<db::Value> values(ids.begin(), ids.end());
    for (const auto& row : connection.query("SELECT id, published, name FROM organisations WHERE id IN (" +
                                                db::placeholders(ids.size()) + ") LOCK IN SHARE MODE",
                                            values))
        known[row.uuid(0)] = {row.boolean(1), row.text(2)};
    for (const auto& id : ids)
        if (!known.contains(id)) throw std::runtime_error("there is no organisation " + id.to_string());
}

}  // namespace detail
}  // namespace tradepost::writes
