#include "db/bulk_insert.h"

#include <algorithm>

namespace tradepost::db {
namespace {
constexpr std::size_t most_rows = 200;
constexpr std::size_t most_bytes = 1 << 20;
}  // namespace

BulkInsert::BulkInsert(db::Connection& connection, const std::string& table_and_columns, const std::string& update)
    : connection_(connection),
      head_("INSERT INTO " + table_and_columns + " VALUES "),
      tail_(update.empty() ? "" : " ON DUPLICATE KEY UPDATE " + update) {}

void BulkInsert::add(std::string_view literals) {
    if (rows_ > 0 && sql_.size() + literals.size() > most_bytes) flush();
    sql_ += rows_ == 0 ? head_ : ", ";
    sql_.append("(").append(literals).append(")");
    if (++rows_ == most_rows) flush();
}

void BulkInsert::flush() {
    if (rows_ == 0) return;
    const std::string sql = std::exchange(sql_, {}) + tail_;
    rows_ = 0;
    connection_.execute(sql);
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

}  // namespace tradepost::db
