// sql/SCHEMA.md, rendered from a migrated database and sql/descriptions.yaml: the file in the repository must be equal to it.
#include <yaml-cpp/yaml.h>

#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "support/database.h"

using namespace tradepost;

namespace {

constexpr const char* document_path = "sql/SCHEMA.md";
constexpr const char* introduction =
    "# Schema\n\n"
    "The tables as they are after all migrations. This page is rendered from a migrated database and `descriptions.yaml`;\n"
    "`make schema` writes it, and a test of the suite `repo` compares it.\n\n"
    "Ids are UUIDv7 in 16 bytes, made by the application. Times are UTC. Text is `utf8mb4` unless `ascii` is named. A column "
    "with\n"
    "`= name` holds the property of that name, which `nginx/www/openapi.yaml` describes.\n";

struct Column {
    std::string name, type;
    bool nullable = false;
};
struct ForeignKey {
    std::string table, column, rule;
};
struct Table {
    std::vector<Column> columns;
    std::map<std::string, ForeignKey> foreign_keys;           // by column
    std::map<std::string, std::vector<std::string>> indexes;  // columns by name, with their direction
    std::map<std::string, std::string> index_kinds;
};
using Tables = std::map<std::string, Table>;

// The same on MariaDB and MySQL, which differ in display widths and in how they write defaults.
Column column(const db::Row& row) {
    static const std::regex width("^(tinyint|smallint|mediumint|int|bigint)\\([0-9]+\\)");
    Column column{row.text(1), std::regex_replace(row.text(2), width, "$1"), row.text(3) == "YES"};
    auto default_value = row.opt_text(4).value_or("NULL");
    const bool is_text = !row.is_null(5);
    if (is_text && default_value != "NULL" && !default_value.starts_with('\'')) default_value = "'" + default_value + "'";
    if (row.opt_text(5) == "ascii") column.type += " ascii";
    if (column.nullable) column.type += ", nullable";
    if (default_value != "NULL") column.type += ", default " + default_value;
    return column;
}

Tables read_tables(db::Connection& connection, const std::string& schema) {
    Tables tables;
    for (const auto& row : connection.query("SELECT table_name, column_name, column_type, is_nullable, column_default, "
                                            "character_set_name FROM information_schema.columns WHERE table_schema = ? "
                                            "ORDER BY table_name, ordinal_position",
                                            {schema}))
        tables[row.text(0)].columns.push_back(column(row));
    for (const auto& row : connection.query("SELECT table_name, index_name, column_name, collation, non_unique, index_type FROM "
                                            "information_schema.statistics WHERE table_schema = ? "
                                            "ORDER BY table_name, index_name, seq_in_index",
                                            {schema})) {
        auto& table = tables[row.text(0)];
        table.indexes[row.text(1)].push_back(row.text(2) + (row.opt_text(3) == "D" ? " DESC" : ""));
        auto& kind = table.index_kinds[row.text(1)];
        if (row.text(1) == "PRIMARY")
            kind = "primary key";
        else if (row.text(5) == "FULLTEXT")
            kind = "full text";
        else
            kind = row.integer(4) == 0 ? "unique" : "index";
    }
    for (const auto& row : connection.query(
             "SELECT k.table_name, k.column_name, k.referenced_table_name, k.referenced_column_name, r.delete_rule FROM "
             "information_schema.key_column_usage k JOIN information_schema.referential_constraints r ON r.constraint_schema = "
             "k.table_schema AND r.constraint_name = k.constraint_name AND r.table_name = k.table_name WHERE k.table_schema = ?",
             {schema}))
        tables[row.text(0)].foreign_keys[row.text(1)] = {row.text(2), row.text(3), row.text(4)};
    return tables;
}

std::string camel_case(const std::string& name) {
    std::string out;
    for (std::size_t i = 0; i < name.size(); ++i)
        out += name[i] == '_' && i + 1 < name.size() ? char(std::toupper(name[++i])) : name[i];
    return out;
}

// The names of a schema's properties, also of those that it is made of.
void add_properties(const YAML::Node& schemas, const YAML::Node& schema, std::set<std::string>& names) {
    if (const auto reference = schema["$ref"]) {
        const auto path = reference.as<std::string>();
        add_properties(schemas, schemas[path.substr(path.rfind('/') + 1)], names);
    }
    for (const auto& part : schema["allOf"]) add_properties(schemas, part, names);
    for (const auto& property : schema["properties"]) names.insert(property.first.as<std::string>());
}

class Document {
public:
    Document(Tables tables, const YAML::Node& descriptions, const YAML::Node& openapi)
        : tables_(std::move(tables)), descriptions_(descriptions), schemas_(openapi["components"]["schemas"]) {}

    std::string render() {
        text_ = introduction;
        diagram();
        for (const auto& [name, table] : tables_) section(name, table);
        for (const auto& entry : descriptions_)
            if (!tables_.contains(entry.first.as<std::string>()))
                missing_.push_back("there is no table " + entry.first.as<std::string>());
        return text_;
    }

    // What lacks a description, and descriptions of what does not exist.
    const std::vector<std::string>& missing() const { return missing_; }

private:
    void diagram() {
        text_ += "\n```mermaid\nerDiagram\n";
        for (const auto& [name, table] : tables_)
            for (const auto& [column, key] : table.foreign_keys) {
                const bool is_whole_key = table.indexes.at("PRIMARY") == std::vector<std::string>{column};
                text_ += "    " + key.table + (find(table, column).nullable ? " |o--" : " ||--") +
                         (is_whole_key ? "o| " : "o{ ") + name + " : " + column + "\n";
            }
        text_ += "```\n";
    }

    static const Column& find(const Table& table, const std::string& name) {
        for (const auto& column : table.columns)
            if (column.name == name) return column;
        throw std::logic_error("no column " + name);
    }

    void section(const std::string& name, const Table& table) {
        const auto node = descriptions_[name];
        std::set<std::string> properties;
        if (node["openapi"]) add_properties(schemas_, schemas_[node["openapi"].as<std::string>()], properties);
        if (!node["about"]) missing_.push_back("describe the table " + name);
        text_ += "\n## " + name + "\n\n" + node["about"].as<std::string>("") + "\n\n";
        text_ += "| Column | Type | Meaning |\n|---|---|---|\n";
        for (const auto& column : table.columns)
            text_ += "| `" + column.name + "` | " + column.type + " | " +
                     meaning(name, table, column.name, node["columns"], properties) + " |\n";
        for (const auto& entry : node["columns"]) {
            const auto column = entry.first.as<std::string>();
            if (std::none_of(table.columns.begin(), table.columns.end(), [&](const auto& c) { return c.name == column; }))
                missing_.push_back("there is no column " + name + "." + column);
        }
        text_ += "\n";
        for (const auto& [index, columns] : table.indexes) {
            std::string list;
            for (const auto& column : columns) list += (list.empty() ? "" : ", ") + column;
            text_ += "- " + table.index_kinds.at(index) + (index == "PRIMARY" ? "" : " `" + index + "`") + " (" + list + ")\n";
        }
    }

    std::string meaning(const std::string& table_name, const Table& table, const std::string& column, const YAML::Node& described,
                        const std::set<std::string>& properties) {
        static const std::set<std::string> plain{"id", "created_at", "updated_at"};
        std::string text;
        if (const auto key = table.foreign_keys.find(column); key != table.foreign_keys.end()) {
            const bool says_more = key->second.rule == "CASCADE" || key->second.rule == "SET NULL";
            text = "→ `" + key->second.table + "`" + (says_more ? ", on delete " + key->second.rule : "");
        } else if (properties.contains(camel_case(column))) {
            text = "= `" + camel_case(column) + "`";
        }
        if (described && described[column]) return text + (text.empty() ? "" : ". ") + described[column].as<std::string>();
        if (text.empty() && !plain.contains(column)) missing_.push_back("describe the column " + table_name + "." + column);
        return text;
    }

    Tables tables_;
    YAML::Node descriptions_, schemas_;
    std::string text_;
    std::vector<std::string> missing_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(schema_document)

BOOST_AUTO_TEST_CASE(describes_the_migrated_database) {
    test::TestDatabase database;
    database.migrate();
    db::Connection connection{database.config()};
    Document document(read_tables(connection, database.config().name), YAML::LoadFile("sql/descriptions.yaml"),
                      YAML::LoadFile("nginx/www/openapi.yaml"));
    const auto rendered = document.render();
    for (const auto& what : document.missing()) BOOST_ERROR("sql/descriptions.yaml: " + what);
    if (std::getenv("TRADEPOST_WRITE_SCHEMA")) std::ofstream(document_path, std::ios::binary) << rendered;
    std::ifstream file(document_path, std::ios::binary);
    const std::string stored{std::istreambuf_iterator<char>(file), {}};
    BOOST_TEST((stored == rendered), "sql/SCHEMA.md differs from the database: run make schema");
}

BOOST_AUTO_TEST_SUITE_END()
