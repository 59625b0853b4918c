// import all
#include <fcntl.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "audit/record.h"
#include "core/hex.h"
#include "ctl/everything/everything.h"
#include "ctl/everything/folder.h"
#include "ctl/everything/manifest.h"
#include "ctl/everything/rows.h"
#include "ctl/housekeeping.h"
#include "ctl/import/lines.h"
#include "ctl/output.h"
#include "db/bulk_insert.h"
#include "files/files.h"
#include "files/store.h"
#include "http/error.h"
#include "json/parse.h"
#include "resources/tables.h"
#include "resources/uploads/fetching.h"
#include "resources/uploads/upload.h"
#include "search/engines/words_state.h"
#include "writes/transaction.h"

namespace tradepost::ctl::everything {
namespace {

// What becomes of one table of the export.
struct Part {
    const CarriedTable* table;
    const Manifest::Table* file;
    std::vector<Column> columns;
};

// Throws Failure when this schema cannot take what the export has.
std::vector<Part> plan(db::Connection& connection, const Manifest& manifest, int schema) {
    if (manifest.schema > schema)
        throw Failure("the export has the schema " + std::to_string(manifest.schema) + ", and this version knows " +
                      std::to_string(schema) + ": install version " + manifest.version + " or a newer one");
    std::vector<Part> parts;
    for (const auto& table : carried_tables()) {
        const auto* const file = manifest.find(table.name);
        if (!file && manifest.schema == schema)
            throw Failure("manifest.json does not name " + std::string(table.name) + ": copy the export again");
        if (!file) continue;  // the table came later
        Part part{&table, file, {}};
        const auto columns = columns_of(connection, table);
        for (const auto& name : file->columns) {
            const auto found =
                std::find_if(columns.begin(), columns.end(), [&](const auto& column) { return column.name == name; });
            if (found == columns.end())
                throw Failure("this version has no column " + std::string(table.name) + "." + name + ": install version " +
                              manifest.version + ", import there, then upgrade");
            part.columns.push_back(*found);
        }
        for (const auto& column : columns)
            if (column.is_required && std::find(file->columns.begin(), file->columns.end(), column.name) == file->columns.end())
                throw Failure("the export lacks the column " + std::string(table.name) + "." + column.name +
                              ": upgrade the old instance, then export again");
        parts.push_back(std::move(part));
    }
    for (const auto& file : manifest.tables)
        if (std::none_of(parts.begin(), parts.end(), [&](const auto& part) { return part.file == &file; }))
            throw Failure("manifest.json names a table that this version does not know, " + file.name + ": install version " +
                          manifest.version + " or a newer one");
    return parts;
}

void check_sum(const std::string& directory, const std::string& file, const std::string& sum) {
    try {
        if (core::to_hex(files::hash_file(directory + "/" + file)) == sum) return;
    } catch (const std::system_error& error) {
        throw Failure(directory + "/" + file + " cannot be read, " + error.code().message() + ": copy the export again");
    }
    throw Failure(directory + "/" + file + " is not as it was exported: copy the export again");
}

// Calls `use` for each line of upload_sums_file.
template <class Use>
std::size_t each_upload(const std::string& directory, Use&& use) {
    std::ifstream file(directory + "/" + upload_sums_file);
    std::size_t count = 0;
    for (std::string line; std::getline(file, line); ++count) {
        constexpr std::size_t digits = 64, blanks = 2;
        const auto path = line.size() > digits + blanks ? line.substr(digits + blanks) : std::string();
        if (!is_upload_path(path))
            throw Failure(directory + "/" + upload_sums_file + " is no list of uploads: copy the export again");
        use(line.substr(0, digits), path);
    }
    return count;
}

template <class Use>
std::size_t each_line(const std::string& directory, const Part& part, Use&& use) {
    Lines lines(directory + "/" + part.file->file());
    std::size_t count = 0;
    for (; lines.next(); ++count) try {
            if (lines.is_too_long()) throw Failure("is longer than 4 MiB");
            use(json::parse(lines.text()));
        } catch (const http::ApiError&) {
            throw lines.fault(lines.number(), "is no JSON object");
        } catch (const Failure& failure) {
            throw lines.fault(lines.number(), failure.what());
        }
    if (count != part.file->rows)
        throw Failure(directory + "/" + part.file->file() +
                      " has another number of lines than manifest.json says: copy the export again");
    return count;
}

// Reads all of the folder. Nothing has been written yet.
void check_files(const std::string& directory, const Manifest& manifest, const std::vector<Part>& parts) {
    for (const auto& part : parts) check_sum(directory, part.file->file(), part.file->sha256);
    check_sum(directory, upload_sums_file, manifest.upload_sums_sha256);
    if (each_upload(directory, [&](const auto& sum, const auto& path) { check_sum(directory, path, sum); }) != manifest.uploads)
        throw Failure(directory + "/" + upload_sums_file +
                      " has another number of files than manifest.json says: copy the export again");
    for (const auto& part : parts) {
        const bool is_uploads = part.table->name == "uploads";
        each_line(directory, part, [&](const json::Json& row) {
            (void)literals(part.columns, row);
            if (!is_uploads || row.at("content_hash").is_null()) return;
            const auto hash = core::from_hex(row.at("content_hash").template get<std::string>()).value();
            const auto type = row.at("content_type").template get<std::string>();
            for (const auto& url : {std::optional(uploads::upload_url(hash, type)), uploads::thumbnail_url(hash, type)})
                if (url && access((directory + *url).c_str(), R_OK) != 0) throw Failure("its file is missing, " + url->substr(1));
        });
    }
}

void require_new_instance(db::Connection& connection) {
    for (const auto& table : carried_tables())
        if (!table.may_have_rows && !connection
                                         .query("SELECT 1 FROM " + std::string(table.name) + " WHERE " +
                                                (table.where.empty() ? "TRUE" : std::string(table.where)) + " LIMIT 1")
                                         .empty())
            throw Failure("this instance is in use, it has rows of " + std::string(table.name) +
                          ": import all needs a new instance");
}

// The files of an export on their way into the store. They are removed unless they get there.
class Incoming {
public:
    Incoming(files::Store store, const std::string& directory)
        : store_(std::move(store)), directory_(directory), work_(store_.work()) {
        store_.give(store_.work());
        each_upload(directory_, [&](const auto&, const auto& path) {
            if (!copy(directory_ + "/" + path, in_work(path)))
                throw Failure(directory_ + "/" + path + " is missing: copy the export again");
        });
    }
    // Returns when all files are on disk under their names. May be repeated.
    void take_over() {
        if (!is_taken_over_)
            each_upload(directory_, [&](const auto&, const auto& path) { store_.take_over(in_work(path), "/" + path); });
        is_taken_over_ = true;
        if (syncfs(files::open_file(work_.path(), O_RDONLY | O_DIRECTORY).get()) != 0) files::fail("syncfs");
    }

private:
    std::string in_work(const std::string& path) const { return work_.file(path.substr(path.rfind('/') + 1)); }

    files::Store store_;
    std::string directory_;
    files::Work work_;
    bool is_taken_over_ = false;
};

// One transaction: an instance has all rows or none. Words and totals are not there yet, and the tables that mark them as complete say so:
// searches are 503, and lists count their rows.
void write_rows(db::Connection& connection, const std::string& directory, const std::vector<Part>& parts, const std::string& mark,
                core::Time now, Incoming& files) {
    connection.execute("SET SESSION innodb_lock_wait_timeout = 60");  // while the server undoes an import that was killed
    writes::write(connection,
                  [&](writes::WriteTransaction& transaction) {
                      connection.execute("DELETE FROM search_words");
                      connection.execute("DELETE FROM list_counts");
                      for (const auto& part : parts) {
                          db::BulkInsert rows(connection, std::string(part.table->name) + " (" + names_of(part.columns) + ")");
                          each_line(directory, part, [&](const json::Json& row) { rows.add(literals(part.columns, row)); });
                          rows.flush();
                      }
                      for (const auto* table : resources::counted_tables())
                          for (const auto* list : table->lists())
                              if (list->versioned) transaction.changed(list->collection);
                      audit::record(connection, now, {.event = audit::Event::imported, .detail = mark});
                      files.take_over();
                  },
                  {std::chrono::minutes(10), 1});
}

bool is_complete(db::Connection& connection) {
    const auto tables = resources::words_tables();
    return totals_are_kept(connection) && std::all_of(tables.begin(), tables.end(), [&](const auto& table) {
               return search::words_complete(connection, table.name);
           });
}

// Each step marks its table as complete, so that a repetition goes on from there.
void derive(db::Connection& connection, core::Time now) {
    for (const auto& row : connection.query("SELECT id FROM uploads WHERE status = 'FETCHING' ORDER BY id"))
        if (const auto wanted = uploads::find_wanted(connection, row.uuid(0)))
            uploads::fetch_again(connection, *wanted, 0, now, now);
    for (const auto& table : resources::tables()) {
        if (search::words_complete(connection, table.table)) continue;
        table.rewrite(connection);
        search::set_words_complete(connection, table.table);
    }
    for (const auto& table : resources::words_tables())
        if (!search::words_complete(connection, table.name)) resources::write_all_words(connection, table);
    recount_totals(connection, now);
}

std::unique_ptr<db::KeptLease> require_lease(Context& context, const std::string& what) {
    std::string holder;
    auto lease = take_lease(context, what, holder);
    if (!lease) throw Failure(what + " is running on " + holder + ": wait until it has ended");
    return lease;
}

int import_all(Context& context, std::string directory) {
    while (directory.size() > 1 && directory.ends_with('/')) directory.pop_back();
    const auto manifest = read_manifest(directory);
    auto& connection = context.connection();
    const auto schema = db::schema_state(connection, db::read_migrations(migrations_directory("")));
    require_current(schema);
    const auto parts = plan(connection, manifest, schema.applied);
    const auto alone = require_lease(context, "import");
    const auto no_prune = require_lease(context, "prune");  // it would remove files whose rows are not committed

    // Of this export: with it a repetition finds out that only the end is missing.
    const auto mark = "all " + core::to_hex(files::hash_file(directory + "/" + manifest_file));
    const bool is_imported =
        !connection.query("SELECT 1 FROM audit_log WHERE event = 'imported' AND detail = ? LIMIT 1", {mark}).empty();
    const bool is_done = is_imported && is_complete(connection);
    if (!is_imported) {
        require_new_instance(connection);
        check_files(directory, manifest, parts);
        Incoming files(files::Store(context.config().uploads.directory), directory);
        write_rows(connection, directory, parts, mark, context.now(), files);
    }
    if (!is_done) derive(connection, context.now());

    std::size_t rows = 0;
    for (const auto& part : parts) rows += part.file->rows;
    if (context.json)
        print({{"rows", rows}, {"files", manifest.uploads}});
    else if (is_done)
        std::cout << "nothing to do: " << directory << " was imported before\n";
    else
        std::cout << "imported " << rows << " rows and " << manifest.uploads << " files of uploads from " << directory << "\n";
    return 0;
}

}  // namespace

void add_import_command(Command imports, Context& context) {
    const auto directory = std::make_shared<std::string>();
    const auto command = imports.add("all",
                                     "import a whole instance from a folder of export all, into a new instance: all of it or "
                                     "nothing. After an interruption the same "
                                     "command does the rest");
    command.required("DIR", *directory, "the folder");
    on(command, context, [&context, directory] { return import_all(context, *directory); });
}

}  // namespace tradepost::ctl::everything
