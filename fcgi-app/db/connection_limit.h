// Bounds the connections that all processes of an instance have together (database.max_connections), and closes idle ones.
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "core/config.h"

namespace tradepost::db {

// The processes that share the connections of an instance. Half of the connections are reserved for the API pool, and one for each of the others,
// so that no pool takes the last one of another. All of them use the rest. `background`: tradepost-deliver and tradepost-index.
enum class Pool : std::uint8_t { api, auth, uploads, background };

// While this object lives, connections of this process count, and a db::Connection holds one only during a statement or a transaction. Between
// them this process keeps the session for its next statement, of whichever db::Connection and thread has the same time-outs. A session that was idle
// for database.idle_s, or that another process waits for, is closed. Create it before the first db::Connection, one in a process.
class ConnectionLimit {
public:
    ConnectionLimit(const core::Config& config, Pool pool);
    ~ConnectionLimit();
    ConnectionLimit(const ConnectionLimit&) = delete;
    ConnectionLimit& operator=(const ConnectionLimit&) = delete;

private:
    friend class Connection;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tradepost::db
