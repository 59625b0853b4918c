#include "ctl/everything/rows.h"

#include <algorithm>

#include "core/hex.h"
#include "core/text.h"
#include "ctl/context.h"
#include "db/statement.h"

namespace tradepost::ctl::everything {
namespace {

constexpr std::size_t rows_at_once = 200;

Form form_of(const CarriedTable& table, const std::string& column, const std::string& type, std::int64_t length) {
    if (type == "binary") return length == 16 ? Form::uuid : Form::bytes;
    if (type == "varbinary") return column == table.byte_column ? Form::bytes : Form::text;
    if (type == "datetime") return Form::time;
    if (type == "date" || type.ends_with("char") || type.ends_with("text")) return Form::text;
    if (type.ends_with("int")) return Form::number;
    throw std::logic_error(std::string(table.name) + "." + column + " has a type that an export does not know: " + type);
}

std::string key_literal(const Column& column, const db::Row& row, std::size_t at) {
    switch (column.form) {
        case Form::uuid:
        case Form::bytes:
            return db::literal(db::Binary{row.text(at)});
        case Form::time:
            return db::literal(row.time(at));
        case Form::number:
            return row.text(at);
        case Form::text:
            break;
    }
    return db::literal(row.text(at));
}

// The condition of the rows behind one: a > 1 OR (a = 1 AND b > 2).
std::string behind(const std::vector<std::size_t>& key, const std::vector<Column>& columns, const db::Row& row) {
    std::string condition, equal;
    for (const auto at : key) {
        const auto value = key_literal(columns[at], row, at);
        condition += (condition.empty() ? "(" : " OR (") + equal + columns[at].name + " > " + value + ")";
        equal += columns[at].name + " = " + value + " AND ";
    }
    return "(" + condition + ")";
}

std::optional<std::string> literal(const Column& column, const json::Json& value) {
    if (value.is_null()) return column.takes_null ? std::optional(std::string("NULL")) : std::nullopt;
    if (column.form == Form::number) return value.is_number_integer() ? std::optional(value.dump()) : std::nullopt;
    if (!value.is_string()) return {};
    const auto& text = value.get_ref<const std::string&>();
    if (column.form == Form::uuid) {
        const auto id = core::Uuid::parse(text);
        return id ? std::optional(db::literal(*id)) : std::nullopt;
    }
    if (column.form == Form::bytes) {
        const auto bytes = core::from_hex(text);
        return bytes ? std::optional(db::literal(db::Binary{*bytes})) : std::nullopt;
    }
    if (column.form == Form::time) {
        const auto time = core::parse_rfc3339(text);
        return time ? std::optional(db::literal(*time)) : std::nullopt;
    }
    return db::literal(text);
}

}  // namespace

std::vector<Column> columns_of(db::Connection& connection, const CarriedTable& table) {
    std::vector<Column> columns;
    for (const auto& row : connection.query(
             "SELECT column_name, data_type, COALESCE(character_maximum_length, 0), is_nullable = 'YES', column_default IS NOT "
             "NULL FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ? AND "
             "COALESCE(generation_expression, '') = '' ORDER BY ordinal_position",
             {table.name})) {
        const bool takes_null = row.boolean(3);
        columns.push_back({.name = row.text(0),
                           .form = form_of(table, row.text(0), row.text(1), row.integer(2)),
                           .is_required = !takes_null && !row.boolean(4),
                           .takes_null = takes_null});
    }
    return columns;
}

std::string names_of(const std::vector<Column>& columns) {
    std::string names;
    for (const auto& column : columns) names += (names.empty() ? "" : ", ") + column.name;
    return names;
}

std::vector<std::string> key_of(db::Connection& connection, std::string_view table) {
    std::vector<std::string> names;
    for (const auto& row : connection.query(
             "SELECT column_name FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = ? AND "
             "index_name = 'PRIMARY' ORDER BY seq_in_index",
             {table}))
        names.push_back(row.text(0));
    return names;
}

std::size_t each_row(db::Connection& connection, const CarriedTable& table, const std::vector<Column>& columns,
                     const std::function<void(const db::Row& row)>& use) {
    std::vector<std::size_t> key;
    std::string order;
    for (const auto& name : key_of(connection, table.name)) {
        const auto found = std::find_if(columns.begin(), columns.end(), [&](const auto& column) { return column.name == name; });
        key.push_back(std::size_t(found - columns.begin()));
        order += (order.empty() ? "" : ", ") + name;
    }
    const auto head = "SELECT " + names_of(columns) + " FROM " + std::string(table.name) + " FORCE INDEX (PRIMARY) WHERE " +
                      (table.where.empty() ? "TRUE" : std::string(table.where));
    std::string from;
    for (std::size_t count = 0;;) {
        const auto rows = connection.query(head + from + " ORDER BY " + order + " LIMIT " + std::to_string(rows_at_once));
        for (const auto& row : rows) use(row);
        count += rows.size();
        if (rows.size() < rows_at_once) return count;
        from = " AND " + behind(key, columns, rows.back());
    }
}

void write_row(json::Writer& line, const CarriedTable& table, const std::vector<Column>& columns, const db::Row& row) {
    line.begin_object();
    for (std::size_t at = 0; at < columns.size(); ++at) {
        const auto& column = columns[at];
        line.name(column.name);
        if (row.is_null(at)) {
            line.null();
            continue;
        }
        switch (column.form) {
            case Form::uuid:
                line.value(row.uuid(at));
                break;
            case Form::bytes:
                line.value(core::to_hex(row.text(at)));
                break;
            case Form::time:
                line.value(row.time(at));
                break;
            case Form::number:
                line.raw(row.text(at));
                break;
            case Form::text:
                if (!core::is_utf8(row.text(at)))
                    throw Failure(std::string(table.name) + "." + column.name +
                                  " has a value that is no UTF-8: correct it, then export again");
                line.value(row.text(at));
        }
    }
    line.end_object();
}

std::string literals(const std::vector<Column>& columns, const json::Json& object) {
    if (!object.is_object()) throw Failure("must be a JSON object");
    std::string values;
    for (const auto& column : columns) {
        const auto found = object.find(column.name);
        if (found == object.end()) throw Failure("has no " + column.name);
        const auto value = literal(column, *found);
        if (!value) throw Failure(column.name + " has a value that the column does not take");
        values += (values.empty() ? "" : ", ") + *value;
    }
    if (object.size() != columns.size()) throw Failure("has a column that manifest.json does not name");
    return values;
}

}  // namespace tradepost::ctl::everything
