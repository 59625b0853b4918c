// One connection to MariaDB or MySQL: the only folder that includes the connector.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/config.h"
#include "db/servers.h"
#include "db/sql.h"
#include "db/value.h"

namespace tradepost::db {

// Any failure of the database, with the server's error number (0: none) and a text for the log.
class Error : public std::runtime_error {
public:
    Error(int error_code, const std::string& text) : std::runtime_error(text), code(error_code) {}
    int code;
    bool is_duplicate_key() const { return code == 1062; }
    // A deadlock, or Galera's certification conflict; a lock wait; the conflict of Group Replication.
    bool is_retryable() const { return code == 1213 || code == 1205 || code == 3101; }
    bool is_lock_timeout() const { return code == 1205; }
    bool is_timeout() const { return code == 1969 || code == 3024 || code == 1317; }
};

// The server cannot be reached, went away or did not answer in time: the API's 503.
class Unavailable : public Error {
public:
    using Error::Error;
};

// One row, all columns as the server sent them. Getters count columns from 0 and throw std::logic_error when the
// column is NULL (use the opt_ form), does not exist, or holds what does not fit the type: nothing converts silently.
class Row {
public:
    std::size_t columns() const;
    bool is_null(std::size_t column) const;
    const std::string& text(std::size_t column) const;
    std::int64_t integer(std::size_t column) const;
    std::uint64_t unsigned_integer(std::size_t column) const;
    double real(std::size_t column) const;
    bool boolean(std::size_t column) const;
    core::Uuid uuid(std::size_t column) const;
    core::Time time(std::size_t column) const;

    std::optional<std::string> opt_text(std::size_t column) const;
    std::optional<std::string> take_text(
        std::size_t column);  // opt_text() without a copy; afterwards the column is not to be read
    std::optional<std::int64_t> opt_integer(std::size_t column) const;
    std::optional<core::Uuid> opt_uuid(std::size_t column) const;
    std::optional<core::Time> opt_time(std::size_t column) const;

private:
    friend class Connection;
    std::vector<std::optional<std::string>> cells_;
};
using Rows = std::vector<Row>;

// What is known of a COMMIT that was sent. Unknown: it may have taken effect, or still may.
enum class Outcome { known, unknown };

// Is told of each commit of a transaction in which note_change() was called, with what was noted, each once.
class CommitObserver {
public:
    virtual ~CommitObserver() = default;
    virtual void committing(const std::vector<std::string>& changed) noexcept = 0;  // before the server gets it
    virtual void committed(const std::vector<std::string>& changed, Outcome outcome) noexcept = 0;
};

// Failures of statements since a connection was made, by what they mean. A duplicate key is an answer and not among them.
struct ErrorCounts {
    std::uint64_t unavailable = 0, conflict = 0, timeout = 0, other = 0;
};

// Where a statement is sent from: the function there is the statement's name in the log. Never given by callers.
using Place = std::source_location;

// A time-out is remembered for the server, by all connections of the process to it: the next statement outside a transaction is preceded
// by a probe, a new connection that must be accepted within database.connect_timeout_s and then answer within that time. While probes time
// out, one is made every two seconds, and every other statement is not sent but fails at once with Unavailable. So a queue of requests waits
// for a hanging server once, and its return is noticed within two seconds. A server that was merely slow with one statement answers the
// first probe. In a cluster no probe is sent: for two seconds other nodes are used.
class Connection {
public:
    // In a cluster another node answers what one does not answer in this time.
    static constexpr std::chrono::seconds cluster_read_timeout{2};
    // Does not connect: the first statement does. `read_timeout` bounds a silent server, by default database.answer_timeout_s. `observer` is
    // borrowed and may be null. With `use` reads, nothing but reads is sent.
    explicit Connection(const core::Config::Database& config, std::optional<std::chrono::seconds> read_timeout = {},
                        CommitObserver* observer = nullptr, Use use = Use::everything);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // Runs one SELECT with `?` for each value and returns all rows (they are buffered: put a LIMIT into the statement).
    // Outside a transaction a lost connection is opened again and the statement sent once more; inside one the loss
    // is thrown as Unavailable.
    Rows query(std::string_view sql, std::span<const Value> values = {}, Place place = Place::current());
    Rows query(std::string_view sql, std::initializer_list<Value> values, Place place = Place::current()) {
        return query(sql, std::span(values.begin(), values.size()), place);
    }
    Rows query(const Sql& sql, Place place = Place::current()) { return query(sql.text, sql.values, place); }

    // As query(), for a statement that may take at most `limit`; past it throws Error with is_timeout(). Works on MariaDB
    // (max_statement_time) and MySQL (MAX_EXECUTION_TIME).
    Rows query_within(std::chrono::milliseconds limit, std::string_view sql, std::span<const Value> values,
                      Place place = Place::current());

    // Runs one statement that writes and returns the number of rows it matched (not: changed). Never sent twice.
    std::uint64_t execute(std::string_view sql, std::span<const Value> values = {}, Place place = Place::current());
    std::uint64_t execute(std::string_view sql, std::initializer_list<Value> values, Place place = Place::current()) {
        return execute(sql, std::span(values.begin(), values.size()), place);
    }

    // Has the observer told that the open transaction changes `what`. A rollback forgets it. Throws std::logic_error outside a
    // transaction, where nobody would be told.
    void note_change(std::string_view what);

    // Has `what` run once the open transaction is committed, or may be: the connection was lost before the server confirmed it. A
    // rollback forgets it. Without a transaction it runs now. It does not throw and does not use this connection.
    void after_commit(std::function<void()> what);

    // From the next session on, no statement waits long for a lock that another transaction holds. A SELECT that locks rows takes at most
    // longest_lock_wait(), and then throws Error with is_timeout(). Any other statement throws Error with is_lock_timeout() after that time,
    // rounded up to seconds. in_transaction() does not begin again after either. Pass a limit of its own, by query_within(), to a SELECT that
    // locks many rows.
    void limit_lock_waits();
    std::chrono::milliseconds longest_lock_wait() const;  // database.lock_wait_ms
    bool limits_lock_waits() const;
    // How long transactions are begun again, by default: two lock waits fit into what a request may take.
    std::chrono::seconds patience() const;

    bool in_transaction() const;
    bool is_cluster() const;
    bool is_mariadb();                          // connects when it has to
    std::chrono::microseconds spent() const;    // with the server since the last call of reset_spent()
    std::chrono::microseconds longest() const;  // of that time, the statement that took most of it
    std::string longest_name() const;           // its name: see statement_name(); empty when there was none
    void reset_spent();
    const ErrorCounts& errors() const;
    void close() noexcept;  // the next statement connects anew

private:
    friend class Held;
    friend class Transaction;
    friend class SphinxQl;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// While it lives, all statements of the connection use one session: for what is set there and holds for later statements.
class Held {
public:
    explicit Held(Connection& connection);
    ~Held();
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

private:
    Connection& connection_;
};

// What a transaction reads: rows as of each statement, or all as of its first read (REPEATABLE READ).
enum class Reads { as_of_each_statement, as_of_the_first };

// START TRANSACTION now; ROLLBACK when it is destroyed without commit(). Not nested.
class Transaction {
public:
    explicit Transaction(Connection& connection, Reads reads = Reads::as_of_each_statement);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    // Throws Unavailable or Error when the server did not confirm it.
    void commit();

private:
    Connection& connection_;
    const Held held_;
    bool open_ = true;
};

// Whether a transaction that ended with a deadlock or a lock wait time-out (1213, 1205) is to be begun again: up to 10 times in all, and not
// when more than `patience` went by since `begin`. Waits for some milliseconds, at random, so that those who met do not meet again.
bool may_retry(const Error& error, int attempt, std::chrono::steady_clock::time_point begin, std::chrono::seconds patience);

// Runs `work` in a transaction and commits it; runs the whole of it again as may_retry() says, and when a node of a cluster is lost before
// the COMMIT was sent, which rolls back there. Without `patience` it is connection.patience(). Returns what `work` returns.
template <class Work>
auto in_transaction(Connection& connection, Work&& work, std::optional<std::chrono::seconds> patience = {}) {
    const auto begin = std::chrono::steady_clock::now();
    for (int attempt = 1;; ++attempt) {
        bool working = false;
        try {
            Transaction transaction(connection);
            working = true;
            if constexpr (std::is_void_v<decltype(work())>) {
                work();
                working = false;
                transaction.commit();
                return;
            } else {
                auto result = work();
                working = false;
                transaction.commit();
                return result;
            }
        } catch (const Unavailable&) {
            if (!connection.is_cluster() || !working || attempt > 2) throw;
        } catch (const Error& error) {
            if (connection.limits_lock_waits() && error.is_lock_timeout()) throw;
            if (!may_retry(error, attempt, begin, patience.value_or(connection.patience()))) throw;
        }
    }
}

// Tells tests of the statements that connections send.

// Is given a statement as it is written, with its `?`s, the text that is sent, and who sends it. Called by any thread.
using Watch = void (*)(std::string_view sql, const std::string& text, const std::source_location& place);

// Returns who was told before. Null, as at the beginning: nobody is told. Called while there are no other threads.
Watch watch_statements(Watch watch);

}  // namespace tradepost::db
