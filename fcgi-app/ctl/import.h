// Imports: a file of JSON lines, all of it or nothing.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "ctl/lines.h"
#include "db/connection.h"
#include "fields/json.h"
#include "json/parse.h"
#include "writes/transaction.h"

namespace tradepost::ctl {

struct Imported {
    std::size_t added = 0, changed = 0, unchanged = 0;
};

// Each checks the whole file, then writes it in one transaction, the whole of which is repeated after a deadlock or when somebody
// else took a slug meanwhile. What exists is found by id or by slug (users: email; stock: organisation and reference) and gets the line's fields; `status`,
// `publishedAt`, `createdAt` and whom it belongs to stay when the line does not name them, and nothing is written when nothing
// differs but `updatedAt`. Throw Failure as "FILE:LINE: why", and db::Error.
Imported import_users(db::Connection& connection, Lines& lines, const core::Clock& clock);
Imported import_organisations(db::Connection& connection, Lines& lines, const core::Clock& clock);
Imported import_jobs(db::Connection& connection, Lines& lines, const core::Clock& clock);
Imported import_events(db::Connection& connection, Lines& lines, const core::Clock& clock);
Imported import_posts(db::Connection& connection, Lines& lines, const core::Clock& clock);
Imported import_stock(db::Connection& connection, Lines& lines, const core::Clock& clock);

// The parts that they share.

// Which line named a key first.
class Keys {
public:
    explicit Keys(const Lines& lines) : lines_(lines) {}
    // Throws Failure when an earlier line has the same.
    void add(const std::string& kind, const std::string& key, std::size_t line);

private:
    const Lines& lines_;
    std::map<std::string, std::unordered_map<std::string, std::size_t>, std::less<>> lines_of_;
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

// Throws http::ApiError for what is no JSON object, and for a bad id, slug or organisation.
Item read_item(const Lines& lines);

// Runs `check`, or any part of an import, and turns an http::ApiError into a Failure that names the line.
template <class Check>
auto on_line(const Lines& lines, std::size_t line, Check&& check) {
    try {
        return check();
    } catch (const http::ApiError& error) {
        const bool json = error.external == http::invalid_json().external;
        throw lines.fault(line, error.external + (json ? ": each line must be one JSON object (jq -c writes such lines)" : ""));
    }
}

// Runs `read(items)` for batches of the file's lines that are small enough for one statement each.
template <class Read>
void each_batch(Lines& lines, Read&& read) {
    std::vector<Item> batch;
    std::size_t bytes = 0;
    while (lines.next()) {
        batch.push_back(on_line(lines, lines.number(), [&] { return read_item(lines); }));
        bytes += lines.text().size();
        if (batch.size() < 200 && bytes < (1 << 20)) continue;
        read(batch);
        batch.clear();
        bytes = 0;
    }
    if (!batch.empty()) read(batch);
}

void record_import(db::Connection& connection, std::string_view kind, core::Time now, const Imported& result);

// The transaction of an import of this kind.
template <class Work>
Imported write_all(db::Connection& connection, Lines& lines, std::string_view kind, core::Time now, Work&& work) {
    // A second import waits for the first rather than giving up: to begin again costs more.
    connection.execute("SET SESSION innodb_lock_wait_timeout = 60");
    try {
        return writes::write(connection,
                             [&](writes::WriteTransaction& transaction) {
                                 lines.rewind("writing");
                                 const Imported result = work(transaction);
                                 record_import(connection, kind, now, result);
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
