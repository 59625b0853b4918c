#include "repo/bulk_writer.h"

namespace tradepost::repo {
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

std::string column_name(std::string_view field) {
    std::string column;
    for (const char c : field) {
        if (c >= 'A' && c <= 'Z')
            column.append("_") += char(c - 'A' + 'a');
        else
            column += c;
    }
    return column;
}

}  // namespace tradepost::repo
