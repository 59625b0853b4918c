#include "db/connection.h"

#include <cppconn/connection.h>
#include <cppconn/exception.h>
#include <cppconn/metadata.h>
#include <cppconn/resultset.h>
#include <cppconn/resultset_metadata.h>
#include <cppconn/statement.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "core/text.h"
#include "db/connection_impl.h"
#include "db/statement.h"

namespace tradepost::db {
namespace {

using steady = std::chrono::steady_clock;

// Firewalls and wait_timeout close what is idle for longer; a write cannot be repeated, so it is preceded by a probe.
constexpr std::chrono::seconds idle{1};
// Others on the host may use all connections of the server for a moment.
constexpr std::chrono::seconds longest_wait_of_tools{3};
constexpr std::chrono::milliseconds retry_after{10};

Watch watch = nullptr;

}  // namespace

Watch watch_statements(Watch its) {
    return std::exchange(watch, its);
}

Connection::Impl::Timer::~Timer() {
    impl.last_use = steady::now();
    const auto taken = impl.last_use - begun;
    impl.spent += taken;
    if (taken <= impl.longest) return;
    impl.longest = taken;
    impl.longest_at = place;
}

void Connection::Impl::discard() noexcept {
    close();
}

// A session that was kept, if there is one; else the right to open one.
void Connection::Impl::borrow() {
    if (!limit || session || its_place.file()) return;
    try {
        static_cast<Session&>(*this) = limit->obtain({read_timeout, use, limits_lock_waits});
    } catch (const Error& error) {
        count(error);
        throw;
    }
    if (session) servers.set_position(server);
}

void Connection::Impl::give_back() noexcept {
    if (!limit || transaction || held > 0) return;
    server = servers.position();
    if (session)
        limit->keep({read_timeout, use, limits_lock_waits}, std::move(static_cast<Session&>(*this)));
    else
        close();
}

std::unique_ptr<sql::Connection> Connection::Impl::connect(std::chrono::seconds timeout) {
    const Timer timer{*this, Place::current()};
    constexpr int too_many_connections = 1040;
    const auto until = steady::now() + (limit ? limit->longest_wait : longest_wait_of_tools);
    for (;;) try {
            return servers.open(timeout);
        } catch (const Error& error) {
            if (error.code != too_many_connections || steady::now() > until) {
                count(error);
                throw;
            }
            std::this_thread::sleep_for(retry_after);
        }
}

// True when a new connection was made.
bool Connection::Impl::open() {
    borrow();
    if (session) return false;
    session = connect(read_timeout);
    statement.reset(session->createStatement());
    const std::string version = session->getMetaData()->getDatabaseProductVersion();
    mariadb = version.find("MariaDB") != std::string::npos;
    if (limits_lock_waits) {
        // The servers take whole seconds, from 1.
        const auto seconds = std::chrono::ceil<std::chrono::seconds>(servers.config().lock_wait);
        const auto limit_waits = "SET innodb_lock_wait_timeout = " + std::to_string(seconds.count());
        try {
            statement->execute(limit_waits);
        } catch (const sql::SQLException& error) {
            discard();
            make_failure(error.getErrorCode(), error.what(), limit_waits).raise();
        }
    }
    return true;
}

void Connection::Impl::count(const Error& error) {
    if (error.is_duplicate_key()) return;
    const bool away = Failure{error.code, {}}.unavailable();
    ++(away ? errors.unavailable : error.is_retryable() ? errors.conflict : error.is_timeout() ? errors.timeout : errors.other);
}

// Throws Unavailable while the circuit breaker is open. The session is kept: the time-out may have been that of another one. In a cluster
// open() finds another node instead. A transaction goes on, since its statements belong to its session alone.
void Connection::Impl::require_answering_server(std::string_view sql) {
    if (transaction) return;
    if (servers.is_cluster()) {
        // One that was kept may be left, too.
        for (bool more = true; more && servers.is_left(); borrow()) {
            more = bool(session);
            discard();
        }
        return;
    }
    const auto& breaker = servers.breaker();
    if (breaker.is_closed()) return;
    if (!breaker.may_probe()) {
        const auto refused = make_failure(2013, "not sent, because the database server timed out a moment ago", sql);
        count(Error(refused.code, ""));
        refused.raise();
    }
    if (limit) {  // this process may have one connection for it
        statement.reset();
        session.reset();
    }
    connect(servers.config().connect_timeout);  // the requests that wait in a queue wait for the probe, too
    last_use = {};                              // the session was not used, and the server may have lost it meanwhile
}

void Connection::Impl::probe() {
    if (!session || transaction || steady::now() - last_use < idle) return;
    const Timer timer{*this, Place::current()};
    try {
        statement->execute("DO 0");
    } catch (const sql::SQLException&) {
        discard();
    }
}

template <class Read>
auto Connection::Impl::send(std::string_view sql, std::span<const Value> values, Again again, Place place, Read&& read) {
    if (failure) failure->raise();
    const std::string text = render(sql, values);
    if (watch) watch(sql, text, place);
    const Borrowed borrowed{*this};
    borrow();
    require_answering_server(sql);
    bool repeatable = again != Again::never;
    if (!repeatable) probe();
    if (open()) repeatable = false;  // what fails on a new connection would fail on the next
    for (;;) {
        const Timer timer{*this, place};
        try {
            return read(*statement, text);
        } catch (const sql::SQLException& error) {
            const auto caught = make_failure(error.getErrorCode(), error.what(), sql);
            if (caught.spoils_connection()) discard();
            // After a deadlock the server has rolled back everything (after a lock wait, it may have): what the caller
            // sends next would be committed by itself.
            const bool rolled_back = caught.spoils_connection() || Error(caught.code, "").is_retryable();
            if (transaction && rolled_back) failure = caught;
            const bool timed_out = steady::now() - timer.begun >= servers.config().hangs_after;
            // Another node of a cluster is tried at once, and this one not for a while.
            const bool overran = servers.is_cluster() && timed_out && again == Again::limited_read;
            const bool move = servers.is_cluster() && caught.unavailable() && !overran;
            if ((timed_out && caught.unavailable() && !overran) || (move && caught.disk_full()))
                servers.breaker().open(move ? CircuitBreaker::pause : steady::duration());
            if (!repeatable || transaction || !(move || (caught.found_closed() && !timed_out))) {
                count(Error(caught.code, ""));
                caught.raise();
            }
        }
        open();
        repeatable = false;
    }
}

Rows Connection::Impl::read_rows(sql::Statement& with, const std::string& text) {
    Rows rows;
    const std::unique_ptr<sql::ResultSet> result(with.executeQuery(text));
    const auto columns = result->getMetaData()->getColumnCount();
    rows.reserve(result->rowsCount());
    while (result->next()) {
        auto& cells = rows.emplace_back().cells_;
        cells.resize(columns);
        for (unsigned i = 0; i < columns; ++i) {
            if (result->isNull(i + 1)) continue;
            auto value = result->getString(i + 1);
            cells[i].emplace(std::move(*value.operator->()));
        }
    }
    return rows;
}

std::uint64_t Connection::Impl::run(std::string_view sql, std::span<const Value> values, Again again, Place place) {
    return send(sql, values, again, place, [&](sql::Statement& with, const std::string& text) {
        if (with.execute(text)) {
            const std::unique_ptr<sql::ResultSet> unread(with.getResultSet());
            throw std::logic_error("execute() of a statement that returns rows: " + abbreviate(sql));
        }
        return with.getUpdateCount();
    });
}

Connection::Connection(const core::Config::Database& config, std::optional<std::chrono::seconds> read_timeout,
                       CommitObserver* observer, Use use)
    : impl_(std::make_unique<Impl>(config, read_timeout.value_or(config.answer_timeout), observer, use)) {}

Connection::~Connection() = default;

Rows Connection::query(std::string_view sql, std::span<const Value> values, Place place) {
    if (impl_->limits_lock_waits && may_wait_for_locks(sql)) return query_within(longest_lock_wait(), sql, values, place);
    return impl_->send(sql, values, only_reads(sql) ? Impl::Again::read : Impl::Again::never, place, Impl::read_rows);
}

Rows Connection::query_within(std::chrono::milliseconds limit, std::string_view sql, std::span<const Value> values, Place place) {
    constexpr std::string_view select = "select";
    sql = core::trim(sql);
    if (core::lower_ascii(sql.substr(0, select.size())) != select) throw std::logic_error("query_within() takes a SELECT");
    if (limit <= limit.zero()) throw std::logic_error("query_within() takes a positive limit");  // 0 would mean none
    std::string limited;
    if (is_mariadb()) {
        const auto milliseconds = std::to_string(limit.count() % 1000 + 1000).substr(1);
        limited = "SET STATEMENT max_statement_time=" + std::to_string(limit.count() / 1000) + "." + milliseconds + " FOR " +
                  std::string(sql);
    } else {
        limited =
            "SELECT /*+ MAX_EXECUTION_TIME(" + std::to_string(limit.count()) + ") */" + std::string(sql.substr(select.size()));
    }
    return impl_->send(limited, values, Impl::Again::limited_read, place, Impl::read_rows);
}

std::uint64_t Connection::execute(std::string_view sql, std::span<const Value> values, Place place) {
    return impl_->run(sql, values, Impl::Again::never, place);
}

void Connection::note_change(std::string_view what) {
    if (!impl_->transaction) throw std::logic_error("note_change() outside a transaction");
    auto& noted = impl_->noted;
    if (std::find(noted.begin(), noted.end(), what) == noted.end()) noted.emplace_back(what);
}

void Connection::after_commit(std::function<void()> what) {
    if (!impl_->transaction) return what();
    impl_->after_commit.push_back(std::move(what));
}

void Connection::limit_lock_waits() {
    impl_->limits_lock_waits = true;
}
std::chrono::milliseconds Connection::longest_lock_wait() const {
    return impl_->servers.config().lock_wait;
}
bool Connection::limits_lock_waits() const {
    return impl_->limits_lock_waits;
}

std::chrono::seconds Connection::patience() const {
    return impl_->servers.config().answer_timeout - std::chrono::seconds(2);
}

bool Connection::in_transaction() const {
    return impl_->transaction;
}

bool Connection::is_cluster() const {
    return impl_->servers.is_cluster();
}

bool Connection::is_mariadb() {
    if (const auto& failure = impl_->failure) failure->raise();
    const Impl::Borrowed borrowed{*impl_};
    impl_->borrow();
    impl_->require_answering_server("connect");
    impl_->open();
    return impl_->mariadb;
}

std::chrono::microseconds Connection::spent() const {
    return std::chrono::duration_cast<std::chrono::microseconds>(impl_->spent);
}
std::chrono::microseconds Connection::longest() const {
    return std::chrono::duration_cast<std::chrono::microseconds>(impl_->longest);
}
std::string Connection::longest_name() const {
    return statement_name(impl_->longest_at.function_name());
}
void Connection::reset_spent() {
    impl_->spent = impl_->longest = {};
    impl_->longest_at = {};
}
const ErrorCounts& Connection::errors() const {
    return impl_->errors;
}

void Connection::close() noexcept {
    if (impl_->transaction && !impl_->failure) impl_->failure = Failure{2006, "the connection was closed in a transaction"};
    impl_->discard();
}

}  // namespace tradepost::db
