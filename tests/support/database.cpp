#include "support/database.h"

#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "core/crypto.h"
#include "db/migrations.h"
#include "support/patience.h"
#include "support/server_settings.h"

namespace tradepost::test {
namespace {

core::Config::Database unnamed(core::Config::Database config) {
    config.name.clear();
    return config;
}

}  // namespace

core::Config::Database test_server() {
    const char* path = std::getenv("TRADEPOST_TEST_CONFIG");
    if (!path) throw std::runtime_error("TRADEPOST_TEST_CONFIG must name the tradepost.toml of a test server: use make check");
    auto server = core::load_config(path).database;
    const auto patient = patient_config().database;
    server.connect_timeout = patient.connect_timeout;
    server.lock_wait = patient.lock_wait;
    server.hangs_after = patient.hangs_after;
    return server;
}

TestDatabase::TestDatabase() : config_(test_server()), admin_(unnamed(config_), std::chrono::seconds(60)) {
    static std::once_flag once;
    std::call_once(once, [&] { set_unusual(admin_); });
    config_.name = "test_" + core::to_hex(core::random_bytes(8));
    admin_.execute("CREATE DATABASE " + config_.name + " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin");
}

TestDatabase::~TestDatabase() {
    try {
        admin_.execute("DROP DATABASE " + config_.name);
    } catch (const db::Error&) {
        // The server is private to the tests and goes away after them.
    }
}

void TestDatabase::migrate() {
    db::Connection connection(config_, std::chrono::seconds(60));
    db::migrate(connection, db::read_migrations("sql"), {});
}

void TestDatabase::kill(db::Connection& connection) {
    kill(session_of(connection));
}

void TestDatabase::kill(std::uint64_t session) {
    admin_.execute("KILL ?", {session});
    while (!admin_.query("SELECT 1 FROM information_schema.processlist WHERE id = ?", {session}).empty())
        std::this_thread::yield();
}

std::uint64_t session_of(db::Connection& connection) {
    return connection.query("SELECT CONNECTION_ID()").at(0).unsigned_integer(0);
}

std::uint64_t rows_read(db::Connection& connection, const std::function<void()>& work) {
    const auto so_far = [&] {
        std::uint64_t sum = 0;
        for (const auto& row : connection.query("SHOW SESSION STATUS LIKE 'Handler_read%'")) sum += std::stoull(row.text(1));
        return sum;
    };
    const auto before = so_far();
    const auto by_asking = so_far() - before;
    work();
    return so_far() - before - 2 * by_asking;
}

bool waits_for_lock(db::Connection& watcher, std::uint64_t session) {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    return !watcher
                .query("SELECT 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT' AND trx_mysql_thread_id = ?",
                       {session})
                .empty();
}

}  // namespace tradepost::test
