#include "lists/recount.h"

namespace tradepost::lists {
namespace {

void add_rows(db::Connection& connection, const CountedTable& table, CountChanges& changes, const Progress& progress) {
    constexpr int page = 5000;
    const auto select = "SELECT id, " + table.columns() + " FROM " + std::string(table.name()) + " FORCE INDEX (PRIMARY) WHERE ";
    std::size_t read = 0;
    for (std::optional<core::Uuid> last;;) {
        const auto rows = connection.query(select + (last ? "id > ?" : "? IS NULL") + " ORDER BY id LIMIT ?", {last, page});
        for (const auto& row : rows) table.count(changes, table.read(row, 1), +1);
        read += rows.size();
        if (progress) progress(read);
        if (rows.size() < page) return;
        last = rows.back().uuid(0);
    }
}

}  // namespace

std::size_t recount(db::Connection& connection, const CountedTable& table, const Progress& progress) {
    constexpr int attempts = 3;
    for (int attempt = 1;; ++attempt) {
        // For the next transaction only: all that it reads is as of one moment.
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
        try {
            db::Transaction transaction(connection);
            // Two at once would add the same twice. What is read afterwards is as of when this row is locked.
            set_counts_complete(connection, table.name());
            CountChanges changes(table.name());
            add_rows(connection, table, changes, progress);
            changes.take_off_known(connection);
            const auto wrong = changes.wrong();
            changes.write(connection);
            transaction.commit();
            return wrong;
        } catch (const db::Error& error) {
            if (!error.is_retryable() || attempt == attempts) throw;
        }
    }
}

std::optional<std::int64_t> scheme_of(db::Connection& connection, const CountedTable& table) {
    return connection.query("SELECT " + std::string(complete_scheme()), {table.name()}).at(0).opt_integer(0);
}

}  // namespace tradepost::lists
