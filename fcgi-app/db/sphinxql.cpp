#include "db/sphinxql.h"

#include <cppconn/exception.h>
#include <cppconn/metadata.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>
#include <mysql_connection.h>
#include <mysql_driver.h>

#include <algorithm>

#include "db/circuit_breaker.h"
#include "db/connection_impl.h"
#include "db/failure.h"
#include "db/session.h"

namespace tradepost::db {

using steady = std::chrono::steady_clock;

namespace {

// A failure that takes longer is a time-out: the statement is not sent again.
constexpr std::chrono::milliseconds hangs_after{500};

}  // namespace

struct SphinxQl::Impl {
    explicit Impl(const core::Config::Search& search, std::chrono::seconds timeout)
        : address{.socket = search.socket, .host = search.host, .port = search.port},
          connect_timeout(search.connect_timeout),
          read_timeout(timeout),
          breaker(CircuitBreaker::of(address)) {}

    const core::Config::DatabaseServer address;
    const std::chrono::seconds connect_timeout, read_timeout;
    CircuitBreaker& breaker;
    std::unique_ptr<sql::Connection> session;
    std::unique_ptr<sql::Statement> statement;

    void connect() {
        sql::ConnectOptionsMap map;
        map["hostName"] = sql::SQLString(name(address));
        map["userName"] = sql::SQLString("tradepost");  // it asks for none, but the connector insists
        map["OPT_CONNECT_TIMEOUT"] = int(connect_timeout.count());
        map["OPT_READ_TIMEOUT"] = int(read_timeout.count());
        map["OPT_WRITE_TIMEOUT"] = int(read_timeout.count());
        map["OPT_LOCAL_INFILE"] = 0;  // else a server could ask for any file of ours
        const auto begun = steady::now();
        try {
            session.reset(driver().connect(map));
            statement.reset(session->createStatement());
            breaker.close();
        } catch (const sql::SQLException& error) {
            discard();
            if (steady::now() - begun >= hangs_after) breaker.open(CircuitBreaker::pause);
            make_failure(error.getErrorCode(), error.what(), "connect to the search server at " + name(address)).raise();
        }
    }

    void discard() noexcept {
        statement.reset();
        session.reset();
    }

    // While the server timed out a moment ago, requests do not wait for it one after another.
    void check_breaker() {
        if (breaker.is_closed()) return;
        if (!breaker.may_probe())
            make_failure(2013, "not sent, because the search server timed out a moment ago", name(address)).raise();
        discard();  // to connect is the probe
    }

    template <class Send>
    auto send(const std::string& text, bool repeatable, Send&& send_to) {
        check_breaker();
        if (!session) {
            connect();
            repeatable = false;
        }
        for (;;) {
            const auto begun = steady::now();
            try {
                return send_to(*statement);
            } catch (const sql::SQLException& error) {
                const auto caught = make_failure(error.getErrorCode(), error.what(), text.substr(0, text.find('\'')));
                if (caught.spoils_connection()) discard();
                const bool timed_out = !session && steady::now() - begun >= hangs_after;
                if (timed_out) breaker.open();
                if (!repeatable || timed_out || !caught.found_closed()) caught.raise();
            }
            connect();
            repeatable = false;
        }
    }
};

SphinxQl::SphinxQl(const core::Config::Search& config, std::chrono::seconds read_timeout)
    : impl_(new Impl(config, read_timeout)) {}

SphinxQl::~SphinxQl() = default;

Rows SphinxQl::query(const std::string& statement, Session session) {
    return impl_->send(statement, session == Session::any,
                       [&](sql::Statement& with) { return Connection::Impl::read_rows(with, statement); });
}

void SphinxQl::execute(const std::string& statement) {
    impl_->send(statement, false, [&](sql::Statement& with) { with.execute(statement); });
}

std::string SphinxQl::version() {
    close();
    impl_->connect();
    return impl_->session->getMetaData()->getDatabaseProductVersion();
}

void SphinxQl::close() noexcept {
    impl_->discard();
}

std::string sphinx_literal(std::string_view text) {
    const auto plain = [](unsigned char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               std::string_view(" ()|!\"*@,._").find(char(c)) != std::string_view::npos;
    };
    if (!std::all_of(text.begin(), text.end(), plain))
        throw std::logic_error("a text for the search server has another character");
    return "'" + std::string(text) + "'";
}

}  // namespace tradepost::db
