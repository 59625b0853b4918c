// Many rows in few statements.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "db/connection.h"

namespace tradepost::db {

// Collects rows for one INSERT and sends it when 200 of them or a mebibyte have come together: well below any server's
// max_allowed_packet. What was added last is sent by flush() only, so that an exception loses nothing silently.
class BulkInsert {
public:
    // `table_and_columns`: "jobs (id, slug)". `update`: what ON DUPLICATE KEY UPDATE does; empty: a duplicate is an error.
    BulkInsert(db::Connection& connection, const std::string& table_and_columns, const std::string& update = {});

    // `literals`: the row's values in SQL (db::literal), with commas. Throws what db::Connection::execute() does.
    void add(std::string_view literals);
    void flush();

private:
    db::Connection& connection_;
    std::string head_, tail_, sql_;
    std::size_t rows_ = 0;
};

// For `update`: "column = VALUES(column)" for each of `columns`, "id, slug", and an error (1048) instead of the update when the row that is
// in the way has another id: a slug that somebody else took meanwhile must never overwrite that row.
std::string update_by_id(const std::string& columns);

}  // namespace tradepost::db
