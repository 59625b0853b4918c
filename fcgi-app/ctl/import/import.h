// Imports: a file of JSON lines, all of it or nothing.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "ctl/import/faults.h"
#include "ctl/output.h"
#include "db/connection.h"
#include "fields/json.h"
#include "json/parse.h"
#include "writes/transaction.h"

namespace tradepost::ctl {

struct Imported {
    std::size_t added = 0, changed = 0, unchanged = 0;
    std::size_t lines = 0;  // that are not blank
    Amounts amounts;        // of the lines without a fault
    Faults faults;          // of a dry run
};

struct ImportOptions {
    core::Config::Auth auth = {};  // which hashes of passwords a sign-in verifies
    bool dry_run = false;
    // The lines are of another program, which goes on until its users move, so they come again. Users who are here keep a password that was
    // hashed here, and memberships that a line does not name.
    bool are_foreign = false;
};

// Each reads the whole file and compares it with the database, without a lock, and writes nothing when any line has a fault. Otherwise it
// writes the file in one transaction, the whole of which is repeated after a deadlock or when somebody
// else took a slug meanwhile. What exists is found by id or by slug (users: email; stock: organisation and reference) and gets the line's fields; `status`,
// `publishedAt`, `createdAt` and whom it belongs to stay when the line does not name them, and nothing is written when nothing
// differs but `updatedAt`. Returns what was written, of a dry run what would be. Throws Faulty as "FILE:LINE: why", Failure and db::Error.
using Importer = Imported(db::Connection& connection, Lines& lines, const core::Clock& clock, const ImportOptions& options);
Imported import_users(db::Connection& connection, Lines& lines, const core::Clock& clock, const ImportOptions& options = {});
Imported import_organisations(db::Connection& connection, Lines& lines, const core::Clock& clock,
                              const ImportOptions& options = {});
Imported import_jobs(db::Connection& connection, Lines& lines, const core::Clock& clock, const ImportOptions& options = {});
Imported import_events(db::Connection& connection, Lines& lines, const core::Clock& clock, const ImportOptions& options = {});
Imported import_posts(db::Connection& connection, Lines& lines, const core::Clock& clock, const ImportOptions& options = {});
Imported import_stock(db::Connection& connection, Lines& lines, const core::Clock& clock, const ImportOptions& options = {});

// What commands print of them.

// The first faults, on standard output.
void print_faults(const Faults& faults, const Lines& lines);
void print_dry_run(const std::string& kind, const Imported& result, const Lines& lines);
void print_imported(const std::string& kind, const Imported& result);
// The answer of --json.
Json import_document(const Imported& result, const Faults& faults, bool dry_run, const Lines& lines);

// The parts that they share.

// Which line named a key first.
class Keys {
public:
    // Throws Contradiction when an earlier line has the same. `of`: whose `field` it is, such as " of north-tractors".
    void add(const std::string& field, const std::string& of, const std::string& key, std::size_t line);

private:
    std::map<std::string, std::unordered_map<std::string, std::size_t>, std::less<>> lines_of_;
};

// The ids of organisations by slug.
class OrganisationIds {
public:
    explicit OrganisationIds(db::Connection& connection) : connection_(connection) {}
    // Throws 400 for `field` when there is none.
    core::Uuid of(const std::string& slug, const std::string& field = "organisation");
    void forget() { known_.clear(); }

private:
    db::Connection& connection_;
    std::unordered_map<std::string, std::optional<core::Uuid>> known_;
};

// Which rows the lines are. Two lines must not be one row, nor give two rows one reference.
class RowsOfLines {
public:
    void add_row(const core::Uuid& id, std::size_t line);  // throws Contradiction
    void add_reference(const core::Uuid& organisation_id, const std::string& reference,
                       std::size_t line);  // throws Contradiction
    void forget();

private:
    std::map<core::Uuid, std::size_t> rows_;
    std::map<std::pair<core::Uuid, std::string>, std::size_t> references_;
};

// When rows of an organisation change: a time that is taken once the organisation is locked, so that polls wait for the import
// (lists/horizon.h).
class Times {
public:
    Times(db::Connection& connection, const core::Clock& clock) : connection_(connection), clock_(clock) {}
    // Locks the organisation until the transaction ends.
    core::Time of(const core::Uuid& organisation_id);
    // The transaction begins again.
    void forget() { held_.clear(); }

private:
    db::Connection& connection_;
    const core::Clock& clock_;
    std::map<core::Uuid, core::Time> held_;
};

// One line, with the members that say which row it is.
struct Item {
    std::size_t line = 0;
    json::Json object;
    std::optional<core::Uuid> id;
    std::optional<std::string> slug;
    std::optional<std::string> organisation;  // its slug
    bool names_organisation = false;          // maybe as null
};

// Throws http::ApiError for a line that is too long or no JSON object, and for a bad id, slug or organisation.
Item read_item(const Lines& lines);

// Runs `read(items)` for batches of the file's lines that are small enough for one statement each. Returns how many lines there were.
template <class Read>
std::size_t each_batch(Lines& lines, Faults& faults, Read&& read) {
    std::vector<Item> batch;
    std::size_t count = 0, bytes = 0;
    while (lines.next()) {
        ++count;
        faults.attempt(lines.number(), [&] { batch.push_back(read_item(lines)); });
        bytes += lines.text().size();
        if (batch.size() < 200 && bytes < (1 << 20)) continue;
        read(batch);
        batch.clear();
        bytes = 0;
    }
    if (!batch.empty()) read(batch);
    return count;
}

void record_import(db::Connection& connection, std::string_view kind, core::Time now, const Imported& result);

// Checks all lines by `check(batch, planned)`. Then begins the transaction that writes them, `work(transaction)`, unless there are faults or
// this is a dry run.
template <class Check, class Work>
Imported check_and_write(db::Connection& connection, Lines& lines, Faults& faults, std::string_view kind, core::Time now,
                         const ImportOptions& options, Check&& check, Work&& work) {
    Imported planned;
    planned.lines = each_batch(lines, faults, [&](std::vector<Item>& batch) { check(batch, planned); });
    if (options.dry_run) {
        planned.faults = faults;
        return planned;
    }
    faults.raise(lines);
    // A second import waits for the first rather than giving up: to begin again costs more.
    connection.execute("SET SESSION innodb_lock_wait_timeout = 60");
    try {
        return writes::write(connection,
                             [&](writes::WriteTransaction& transaction) {
                                 lines.rewind("writing");
                                 Imported result = work(transaction);
                                 faults.raise(lines);
                                 record_import(connection, kind, now, result);
                                 result.lines = planned.lines;
                                 result.amounts = planned.amounts;
                                 return result;
                             },
                             {std::chrono::minutes(10), 3});
    } catch (const db::Error& error) {
        if (!error.is_duplicate_key()) throw;
        throw Failure("two lines, or a line and another row, want the same id, slug, reference or email; nothing was imported: " +
                      std::string(error.what()));
    }
}

// Sets `updated_at`: what an import writes is as new as the import, whatever the line says, so that nobody who asks for changes misses it.
// `row`: null for a new one. Returns whether there is anything to write.
template <class T>
bool settle_update(T& item, const T* row, bool same, core::Time now) {
    if (row && same) return false;
    item.updated_at = row ? std::max(now, row->updated_at + core::milliseconds(1)) : now;
    return true;
}

}  // namespace tradepost::ctl
