// A transaction that writes: it owns what its writers must bring up to date before the commit, the change log, counts and versions.
#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "changes/log.h"
#include "counts/counts.h"
#include "db/connection.h"

namespace tradepost::writes {

struct WriteOptions {
    std::optional<std::chrono::seconds> patience = {};  // see db::in_transaction()
    int attempts = 5;                                   // to find keys that are free
};

class WriteTransaction;

// The one way to write rows that lists show: runs `work(transaction)`, writes the change log, the counts and the versions, and commits. Runs the whole of it
// again after a deadlock or a lock wait time-out, as db::in_transaction() does, and when somebody took a key that `work` had found free.
// Returns what `work` returns. Throws db::Error, with is_duplicate_key() when the attempts did not suffice, and what `work` throws.
template <class Work>
auto write(db::Connection& connection, Work&& work, WriteOptions options = {});

// Borrows the connection.
class WriteTransaction {
public:
    WriteTransaction(const WriteTransaction&) = delete;
    WriteTransaction& operator=(const WriteTransaction&) = delete;

    db::Connection& connection() { return connection_; }

    // What the transaction changes in the counts of this list.
    counts::Changes& counts(std::string_view list) { return counts_.try_emplace(std::string(list), list).first->second; }

    // Readers will see this collection changed once the transaction commits: its version rises by one, however often this is called.
    void changed(std::string_view collection) { changed_.emplace(collection); }

    // This row is written or removed: readers of the change log will come by it. `collection` is not copied.
    void record(std::string_view collection, const core::Uuid& id, const std::optional<core::Uuid>& organisation_id,
                changes::Kind kind);

    // From 1: how often the work was begun. It rises when somebody took a key that the work had found free.
    int attempt() const { return attempt_; }

    // Whether it was begun again after it had waited in vain for another transaction, which may have taken such a key and go on for long.
    bool has_waited() const { return has_waited_; }

private:
    template <class Work>
    friend auto write(db::Connection& connection, Work&& work, WriteOptions options);

    WriteTransaction(db::Connection& connection, int attempt, bool has_waited)
        : connection_(connection), attempt_(attempt), has_waited_(has_waited) {}

    // Nobody waits for the rows of the change log. All transactions write the counts and then the versions, each in one order, so that two of them cannot deadlock there. It comes last,
    // because many transactions want these rows, and they stay locked until the commit.
    void flush();

    db::Connection& connection_;
    const int attempt_;
    const bool has_waited_;
    std::map<std::string, counts::Changes, std::less<>> counts_;
    std::set<std::string, std::less<>> changed_;
    std::vector<changes::Changed> recorded_;
};

template <class Work>
auto write(db::Connection& connection, Work&& work, WriteOptions options) {
    bool waited = false;
    for (int attempt = 1;; ++attempt) {
        try {
            return db::in_transaction(
                connection,
                [&] {
                    WriteTransaction transaction(connection, attempt, waited);
                    try {
                        if constexpr (std::is_void_v<decltype(work(transaction))>) {
                            work(transaction);
                            transaction.flush();
                        } else {
                            auto result = work(transaction);
                            transaction.flush();
                            return result;
                        }
                    } catch (const db::Error& error) {
                        waited |= error.is_lock_timeout();
                        throw;
                    }
                },
                options.patience);
        } catch (const db::Error& error) {
            if (!error.is_duplicate_key() || attempt >= options.attempts) throw;
        }
    }
}

}  // namespace tradepost::writes
