// Rows of any table as JSON objects.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ctl/everything/tables.h"
#include "db/connection.h"
#include "json/value.h"
#include "json/writer.h"

namespace tradepost::ctl::everything {

// How a value of a column is written: a UUID, hexadecimal digits, a text, a number, an RFC 3339 time.
enum class Form { uuid, bytes, text, number, time };

struct Column {
    std::string name;
    Form form;
    bool is_required;  // it takes no NULL and has no default
    bool takes_null;
};

// The columns in the order of the table, without those that the server generates.
std::vector<Column> columns_of(db::Connection& connection, const CarriedTable& table);

// "id, slug"
std::string names_of(const std::vector<Column>& columns);

// The columns of the primary key, in its order.
std::vector<std::string> key_of(db::Connection& connection, std::string_view table);

// Calls `use` for the carried rows of a table in the order of the primary key. Holds some hundred rows in memory. Returns how many rows there are.
std::size_t each_row(db::Connection& connection, const CarriedTable& table, const std::vector<Column>& columns,
                     const std::function<void(const db::Row& row)>& use);

// Throws Failure for a text that is no UTF-8, which JSON cannot hold.
void write_row(json::Writer& line, const CarriedTable& table, const std::vector<Column>& columns, const db::Row& row);

// The values of a line for an INSERT, with commas. Throws Failure, which names the column, unless the object has exactly these columns, each
// with a value of its form.
std::string literals(const std::vector<Column>& columns, const json::Json& object);

}  // namespace tradepost::ctl::everything
