// Transactions of db/connection.h: how they begin, commit, roll back and are tried again.
#include <algorithm>
#include <stdexcept>
#include <thread>

#include "core/crypto.h"
#include "db/connection_impl.h"

namespace tradepost::db {

// The observer hears of the outcome on every way out.
void Connection::Impl::commit(Place place) {
    const bool observed = observer && !noted.empty();
    const auto tell = [&](Outcome outcome) {
        if (observed) observer->committed(noted, outcome);
    };
    if (observed) observer->committing(noted);
    const auto run_after = [&] {
        for (const auto& each : after_commit) each();
    };
    try {
        run("COMMIT", {}, Again::never, place);
    } catch (const Error& error) {
        discard();  // whatever state it is in, nothing more can be added to it
        tell(error.is_retryable() ? Outcome::known : Outcome::unknown);  // these have rolled back
        if (!error.is_retryable()) run_after();
        throw;
    } catch (...) {
        discard();
        tell(Outcome::unknown);
        run_after();
        throw;
    }
    tell(Outcome::known);
    run_after();
}

bool may_retry(const Error& error, int attempt, std::chrono::steady_clock::time_point begin, std::chrono::seconds patience) {
    if (!error.is_retryable() || attempt == 10 || std::chrono::steady_clock::now() - begin > patience) return false;
    const auto longest = std::min(attempt, 5) * 4;
    std::this_thread::sleep_for(std::chrono::milliseconds(static_cast<unsigned char>(core::random_bytes(1)[0]) % longest));
    return true;
}

Held::Held(Connection& connection) : connection_(connection) {
    ++connection_.impl_->held;
}

Held::~Held() {
    --connection_.impl_->held;
    connection_.impl_->give_back();
}

Transaction::Transaction(Connection& connection, Reads reads) : connection_(connection), held_(connection) {
    auto& impl = *connection_.impl_;
    if (impl.transaction) throw std::logic_error("a transaction in a transaction");
    if (reads == Reads::as_of_the_first)  // of the next transaction of the session alone
        impl.run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", {}, Connection::Impl::Again::never, Place::current());
    impl.run("START TRANSACTION", {}, Connection::Impl::Again::read, Place::current());
    impl.noted.clear();
    impl.after_commit.clear();
    impl.transaction = true;
}

Transaction::~Transaction() {
    if (!open_) return;
    auto& impl = *connection_.impl_;
    impl.transaction = false;
    impl.failure.reset();
    if (!impl.session) return;
    if (impl.servers.is_left()) {
        impl.discard();  // the statement below would go to a new session
        return;
    }
    try {
        impl.run("ROLLBACK", {}, Connection::Impl::Again::never, Place::current());
    } catch (...) {
        impl.discard();  // the server rolls back what it loses the client of
    }
}

void Transaction::commit() {
    auto& impl = *connection_.impl_;
    if (!open_) throw std::logic_error("commit() of a transaction that is over");
    if (impl.failure) impl.failure->raise();
    impl.commit(Place::current());
    impl.transaction = false;
    open_ = false;
}

}  // namespace tradepost::db
