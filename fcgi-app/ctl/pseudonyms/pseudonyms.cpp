// pseudonyms
#include "ctl/pseudonyms/pseudonyms.h"

#include <sys/stat.h>

#include <fstream>
#include <iostream>

#include "ctl/commands.h"
#include "ctl/output.h"
#include "ctl/pseudonyms/columns.h"
#include "db/bulk_insert.h"
#include "db/migrations.h"
#include "db/statement.h"
#include "resources/tables.h"
#include "writes/transaction.h"

namespace tradepost::ctl {
namespace {

constexpr std::int64_t rows_at_once = 1000;
constexpr std::size_t shortest_key = 32;
constexpr std::string_view enquiries = "enquiries";  // all words of theirs are written again

void refuse_undecided(db::Connection& connection) {
    std::vector<std::string> columns;
    for (const auto& row : connection.query("SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = "
                                            "DATABASE() ORDER BY table_name, ordinal_position"))
        columns.push_back(row.text(0) + "." + row.text(1));
    const auto found = undecided(columns);
    if (!found.empty())
        throw Failure("the database has the column " + found.front() +
                      ", and this version does not know whether it names people: nothing was changed");
}

// The rows of one table whose columns get other values, by way of a temporary table.
class Replacement {
public:
    Replacement(db::Connection& connection, const DecidedTable& table)
        : connection_(connection), table_(table), name_(table.table) {
        for (const auto& column : table.replaced) columns_.append(", ").append(column.name);
        for (const auto& column : table.replaced)
            (assignments_ += (assignments_.empty() ? "t." : ", t.")).append(column.name).append(" = p.").append(column.name);
        connection.execute("CREATE TEMPORARY TABLE pseudonyms (PRIMARY KEY (id)) AS SELECT id" + columns_ + " FROM " + name_ +
                           " LIMIT 0");
    }
    ~Replacement() { connection_.close(); }  // which drops the temporary table
    Replacement(const Replacement&) = delete;

    // Returns the ids of the rows that changed.
    std::vector<core::Uuid> run(const Pseudonyms& pseudonyms) {
        std::vector<core::Uuid> changed;
        for (std::optional<core::Uuid> last = core::Uuid(); last;) {
            const auto rows = connection_.query(
                "SELECT id" + columns_ + " FROM " + name_ + " FORCE INDEX (PRIMARY) WHERE id > ? ORDER BY id LIMIT ?",
                {*last, rows_at_once});
            last.reset();
            if (std::int64_t(rows.size()) == rows_at_once) last = rows.back().uuid(0);
            const auto before = changed.size();
            db::BulkInsert insert(connection_, "pseudonyms (id" + columns_ + ")");
            for (const auto& row : rows)
                if (const auto literals = replaced(row, pseudonyms); !literals.empty()) {
                    insert.add(literals);
                    changed.push_back(row.uuid(0));
                }
            insert.flush();
            if (changed.size() == before) continue;
            connection_.execute("UPDATE " + name_ + " t JOIN pseudonyms p ON p.id = t.id SET " + assignments_);
            connection_.execute("DELETE FROM pseudonyms");
        }
        return changed;
    }

private:
    // Empty when nothing changes.
    std::string replaced(const db::Row& row, const Pseudonyms& pseudonyms) const {
        std::string literals = db::literal(row.uuid(0));
        bool changes = false;
        for (std::size_t i = 0; i < table_.replaced.size(); ++i) {
            const auto& column = table_.replaced[i];
            const auto before = row.opt_text(i + 1);
            const auto after = before ? column.replace(pseudonyms, *before) : std::nullopt;
            changes = changes || after != before;
            literals += ", ";
            literals += after && column.binary ? db::literal(db::Binary{*after}) : db::literal(after);
        }
        return changes ? literals : std::string();
    }

    db::Connection& connection_;
    const DecidedTable& table_;
    const std::string name_;
    std::string columns_, assignments_;
};

void write_words(db::Connection& connection, std::string_view table, std::span<const core::Uuid> ids) {
    constexpr std::size_t at_once = 200;
    for (const auto& words : resources::words_tables())
        for (std::size_t i = 0; words.name == table && i < ids.size(); i += at_once)
            writes::write(connection, [&](writes::WriteTransaction& transaction) {
                words.write(transaction, ids.subspan(i, std::min(at_once, ids.size() - i)));
            });
}

// Its first line. Whoever reads it could find out which text a pseudonym stands for.
std::string read_key(const std::string& file) {
    struct stat info {};
    std::ifstream in(file);
    std::string key;
    if (stat(file.c_str(), &info) != 0 || !std::getline(in, key) || key.size() < shortest_key)
        throw Failure(file + ": must have a key of at least 32 characters in its first line: openssl rand -hex 32 makes one");
    if (info.st_mode & (S_IRWXG | S_IRWXO)) throw Failure(file + ": others may read it: chmod 600 " + file);
    return key;
}

int run(Context& context, const std::string& key_file) {
    if (!context.config().copy)
        throw Failure(context.config_path() + " is of no copy, as it has no [copy]: tradepost-instance clone makes one");
    const Pseudonyms pseudonyms(read_key(key_file));
    auto& connection = context.connection();
    require_current(db::schema_state(connection, db::read_migrations(migrations_directory(""))));
    const auto changed = invent_names(connection, pseudonyms);
    if (context.json) {
        print(changed);
        return 0;
    }
    for (const auto& [table, rows] : changed) std::cout << table << " " << rows << "\n";
    const auto by = "tradepostctl --instance " + context.config().instance + " user ";
    std::cout << "Nobody has a password. " << by << "list shows the users, and " << by << "set-password --email E sets one.\n";
    return 0;
}

}  // namespace

std::map<std::string, std::size_t> invent_names(db::Connection& connection, const Pseudonyms& pseudonyms) {
    refuse_undecided(connection);
    for (const auto table : emptied_tables()) connection.execute("TRUNCATE TABLE " + std::string(table));
    // The search answers 503 should this end before all words are written.
    connection.execute("DELETE FROM search_words WHERE list = ?", {enquiries});
    std::map<std::string, std::size_t> changed;
    for (const auto& table : decided_tables()) {
        if (table.replaced.empty()) continue;
        std::vector<core::Uuid> ids;
        {
            const db::Held held(connection);
            Replacement replacement(connection, table);
            ids = db::in_transaction(
                connection, [&] { return replacement.run(pseudonyms); }, std::chrono::hours(1));
        }
        if (table.table != enquiries) write_words(connection, table.table, ids);
        changed[std::string(table.table)] = ids.size();
    }
    for (const auto& table : resources::words_tables())
        if (table.name == enquiries) resources::write_all_words(connection, table);
    return changed;
}

void add_pseudonyms_command(Command app, Context& context) {
    const auto key_file = std::make_shared<std::string>();
    const auto command = app.add(
        "pseudonyms",
        "replace names, email addresses, telephone numbers and private texts in a copy by invented ones, and remove passwords, "
        "tokens, sessions, secrets, messages that wait, the audit log and the history of rows. tradepost-instance clone does it");
    command.required("--key-file", *key_file, "the key that the pseudonyms follow from; the same key invents the same ones",
                     "FILE");
    on(command, context, [&context, key_file] { return run(context, *key_file); });
}

}  // namespace tradepost::ctl
