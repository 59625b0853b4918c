#include "repo/content_writer.h"

#include "core/text.h"

namespace tradepost::repo {

std::string key_literal(const std::optional<std::string>& text) {
    const std::string key = text ? core::fold_key(*text) : std::string();
    return key.empty() ? "NULL" : db::literal(db::Binary{key});
}

namespace detail {

void read_published(db::Connection& connection, const std::vector<core::Uuid>& ids, std::map<core::Uuid, bool>& known) {
    if (ids.empty()) return;
    const std::vector<db::Value> values(ids.begin(), ids.end());
    for (const auto& row : connection.query(
             "SELECT id, published FROM organisations WHERE id IN (" + placeholders(ids.size()) + ") LOCK IN SHARE MODE", values))
        known[row.uuid(0)] = row.boolean(1);
    for (const auto& id : ids)
        if (!known.contains(id)) throw std::runtime_error("there is no organisation " + id.to_string());
}

std::string update_by_id(const std::string& columns) {
    std::string update = "id = IF(id = VALUES(id), id, NULL)";
    for (std::size_t start = columns.find(", ") + 2; start < columns.size();) {
        const auto end = std::min(columns.find(", ", start), columns.size());
        const std::string column = columns.substr(start, end - start);
        update += ", " + column + " = VALUES(" + column + ")";
        start = end + 2;
    }
    return update;
}

}  // namespace detail
}  // namespace tradepost::repo
