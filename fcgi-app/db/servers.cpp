#include "db/servers.h"

#include <cppconn/connection.h>
#include <cppconn/exception.h>
#include <cppconn/resultset.h>
#include <cppconn/statement.h>

#include <exception>

#include "core/log.h"
#include "db/connection.h"
#include "db/failure.h"
#include "db/session.h"

namespace tradepost::db {
namespace {

using steady = std::chrono::steady_clock;

// How long another node than the first may be used before the first is tried again.
constexpr std::chrono::seconds return_after{30};

// The second column of the first row when there are two, else the first; empty when there is no row.
std::string answer(sql::Statement& statement, const char* sql) {
    const std::unique_ptr<sql::ResultSet> result(statement.executeQuery(sql));
    return result->next() ? std::string(result->getString(result->getMetaData()->getColumnCount())) : "";
}

// Why a node cannot serve; empty when it can. Makes its answers to reads no older than what any node has acknowledged before.
std::string join_cluster(sql::Statement& statement, bool must_take_writes) {
    if (must_take_writes && answer(statement, "SELECT @@global.read_only") != "0") return Servers::read_only;
    if (answer(statement, "SHOW GLOBAL VARIABLES LIKE 'wsrep_on'") == "ON") {
        if (answer(statement, "SHOW GLOBAL STATUS LIKE 'wsrep_ready'") != "ON")
            return "it is not ready as a node of its Galera cluster";
        statement.execute("SET SESSION wsrep_sync_wait = 1");
        return {};
    }
    if (answer(statement, "SHOW GLOBAL VARIABLES LIKE 'group_replication_group_name'").empty()) return {};
    // A member that has lost the others goes on being ONLINE in its own eyes.
    if (answer(statement,
               "SELECT SUM(member_id = @@server_uuid AND member_state = 'ONLINE') AND SUM(member_state <> 'UNREACHABLE') * 2 > "
               "COUNT(*)"
               " FROM performance_schema.replication_group_members") != "1")
        return "it is no online member of its replication group's majority";
    statement.execute("SET SESSION group_replication_consistency = 'BEFORE'");
    return {};
}

}  // namespace

Servers::Servers(const core::Config::Database& config, Use use) : config_(config), use_(use) {
    if (use == Use::reads && config.reads_locally) servers_.push_back({config, &CircuitBreaker::of(config)});
    for (const auto& host : config.hosts) servers_.push_back({host, &CircuitBreaker::of(host)});
    if (servers_.empty()) servers_.push_back({config, &CircuitBreaker::of(config)});
}

std::unique_ptr<sql::Connection> Servers::open(std::chrono::seconds read_timeout) {
    std::exception_ptr last;
    for (std::size_t index = 0; index < servers_.size(); ++index) {
        const auto& breaker = *servers_[index].breaker;
        if (servers_.size() > 1 && !breaker.is_closed() && !breaker.may_probe()) continue;
        try {
            auto session = open(index, read_timeout);
            if (index != position_.server)
                core::log::warning("database_server_changed",
                                   {{"from", name(servers_[position_.server].address)}, {"to", name(servers_[index].address)}});
            position_ = {index, steady::now() + return_after};
            return session;
        } catch (const Error&) {
            last = std::current_exception();
        }
    }
    if (!last) make_failure(2013, "not sent, because the database servers timed out a moment ago", "connect").raise();
    std::rethrow_exception(last);
}

std::unique_ptr<sql::Connection> Servers::open(std::size_t index, std::chrono::seconds read_timeout) {
    auto* const breaker = servers_[index].breaker;
    const auto begun = steady::now();
    try {
        auto session = join(index, read_timeout);
        breaker->close();
        return session;
    } catch (const Unavailable&) {
        if (steady::now() - begun >= config_.hangs_after) breaker->open(CircuitBreaker::pause);
        throw;
    }
}

std::unique_ptr<sql::Connection> Servers::join(std::size_t index, std::chrono::seconds read_timeout) {
    const auto& address = servers_[index].address;
    try {
        auto session = open_session(config_, address, read_timeout);
        if (!is_cluster()) return session;
        const std::unique_ptr<sql::Statement> statement(session->createStatement());
        const bool local = use_ == Use::reads && config_.reads_locally && index == 0;
        const auto why = join_cluster(*statement, !local);
        if (why.empty()) return session;
        make_failure(1290, "not used, because " + why, "connect to " + name(address)).raise();
    } catch (const sql::SQLException& error) {
        make_failure(error.getErrorCode(), error.what(), "connect to " + name(address)).raise();
    }
}

Servers::Node Servers::look_at(std::size_t index, std::chrono::seconds read_timeout) {
    Node node{.name = name(servers_[index].address), .answers = false, .serves = false, .why = {}, .certificate_end = {}};
    try {
        const auto session = open_session(config_, servers_[index].address, read_timeout);
        const std::unique_ptr<sql::Statement> statement(session->createStatement());
        node.answers = true;
        node.certificate_end = answer(*statement, "SHOW SESSION STATUS LIKE 'Ssl_server_not_after'");
        node.why = join_cluster(*statement, true);
        node.serves = node.why.empty();
    } catch (const std::exception& error) {
        node.why = error.what();
    }
    return node;
}

bool Servers::is_left() const {
    return is_cluster() && (!breaker().is_closed() || (position_.server > 0 && steady::now() >= position_.look_again));
}

}  // namespace tradepost::db
