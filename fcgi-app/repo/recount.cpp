#include "repo/recount.h"

#include "repo/enquiry_counts.h"
#include "repo/event_writer.h"
#include "repo/job_writer.h"
#include "repo/post_writer.h"
#include "repo/stock_counts.h"

namespace tradepost::repo {
namespace {

template <class Table>
void add_rows(db::Connection& connection, CountChanges& changes, const Progress& progress) {
    constexpr int page = 5000;
    const auto select = "SELECT id, " + std::string(Table::Counted::columns) + " FROM " + std::string(Table::name) +
                        " FORCE INDEX (PRIMARY) WHERE ";
    std::size_t read = 0;
    for (std::optional<core::Uuid> last;;) {
        const auto rows = connection.query(select + (last ? "id > ?" : "? IS NULL") + " ORDER BY id LIMIT ?", {last, page});
        for (const auto& row : rows) count(changes, Table::Counted::read(row, 1), +1);
        read += rows.size();
        if (progress) progress(read);
        if (rows.size() < page) return;
        last = rows.back().uuid(0);
    }
}

template <class Table>
std::size_t recount(db::Connection& connection, const Progress& progress) {
    constexpr int attempts = 3;
    for (int attempt = 1;; ++attempt) {
        // For the next transaction only: all that it reads is as of one moment.
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
        try {
            db::Transaction transaction(connection);
            // Two at once would add the same twice. What is read afterwards is as of when this row is locked.
            set_counts_complete(connection, Table::name);
            CountChanges changes(Table::name);
            add_rows<Table>(connection, changes, progress);
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

}  // namespace

std::size_t recount_jobs(db::Connection& connection, const Progress& progress) {
    return recount<JobTable>(connection, progress);
}

std::size_t recount_totals(db::Connection& connection, const Progress& progress) {
    return recount<JobTable>(connection, progress) + recount<StockTable>(connection, progress) +
           recount<EnquiryTable>(connection, progress) + recount<PostTable>(connection, progress) +
           recount<EventTable>(connection, progress);
}

bool totals_are_kept(db::Connection& connection) {
    for (const auto list : {JobTable::name, StockTable::name, EnquiryTable::name, PostTable::name, EventTable::name})
        if (connection.query("SELECT " + std::string(counts_are_complete()), {list}).at(0).is_null(0)) return false;
    return true;
}

}  // namespace tradepost::repo
