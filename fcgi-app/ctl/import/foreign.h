// import laravel, import wordpress: reads the database of another program. A mapping file has a query for each kind of rows, whose columns
// are called as the fields of an import. Its rows become the lines of an import.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ctl/commands.h"
#include "ctl/import/fields.h"

namespace tradepost::ctl {

// A section of a mapping file: [users] or [posts].
struct Mapping {
    const ImportKind* kind;
    std::string place;              // what errors call it: "wordpress.toml: [posts]"
    std::string query;              // one SELECT
    std::vector<std::string> html;  // columns whose HTML becomes text
};

// The sections of a file in the order of import_kinds(). Throws Failure with file, section and reason.
std::vector<Mapping> read_mappings(const std::string& path);

// "mysql://USER@HOST:PORT/DATABASE" or "mysql://USER@localhost/DATABASE?socket=FILE". Throws WrongUsage.
core::Config::Database read_dsn(const std::string& dsn);

// One line of an import for each row: what a Mapping makes of the columns.
class RowLines {
public:
    // Throws Failure for a column that is no field, a repeated one, and without the column `key`.
    RowLines(const Mapping& mapping, const std::vector<std::string>& columns);

    // The line, without its end. Throws Failure for a value that is no text in UTF-8 or has a NUL.
    std::string line(const std::vector<std::optional<std::string>>& cells);
    std::vector<std::string> take_keys() { return std::move(keys_); }

private:
    struct Column {
        std::string name;
        const fields::Rule* rule;
        bool is_html;
    };
    json::Json value(const Column& column, const std::string& text) const;

    const Mapping& mapping_;
    std::vector<Column> columns_;
    std::vector<std::string> keys_;
};

void add_foreign_commands(Command import_group, Context& context);

}  // namespace tradepost::ctl
