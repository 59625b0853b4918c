// The servers of a configuration: one, or the nodes of a cluster, of which one is found that serves.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "core/config.h"
#include "db/circuit_breaker.h"

namespace sql {
class Connection;
}

namespace tradepost::db {

// What a session is for.
enum class Use {
    everything,  // a server that takes writes
    reads,       // with reads = "local" this host's node; without that, and while it does not serve, as above
};

// Nodes are tried in the order of `database.hosts`, so that all hosts write to the same one as long as it serves. A session with another
// one is given up after a while, to return to one that serves again. What a node of Galera or Group Replication answers to a read is
// never older than a write that any node has acknowledged before: the node first applies what came before the read.
class Servers {
public:
    Servers(const core::Config::Database& config, Use use);

    // A new session with the first server that serves. Servers that timed out a moment ago are passed over. Throws what the last
    // one threw, Unavailable or Error.
    std::unique_ptr<sql::Connection> open(std::chrono::seconds read_timeout);

    // Of the server of the last session, and before that of the first.
    CircuitBreaker& breaker() const { return *servers_[position_.server].breaker; }
    const core::Config::Database& config() const { return config_; }
    bool is_cluster() const { return !config_.hosts.empty(); }
    // Whether the session is to be given up, between transactions, because its server timed out or a preferred one may serve again.
    bool is_left() const;

    // Which server the last session is with, and until when. A session that goes to another object takes it along.
    struct Position {
        std::size_t server = 0;
        std::chrono::steady_clock::time_point look_again{};
    };
    const Position& position() const { return position_; }
    void set_position(const Position& its) { position_ = its; }

    // The state of each server as of now, in their order.
    struct Node {
        std::string name;
        bool answers, serves;         // it answers; it takes reads and writes
        std::string why;              // it does not
        std::string certificate_end;  // "Jan 31 09:15:00 2027 GMT"; empty without TLS
    };
    static constexpr const char* read_only = "it is read-only";
    std::size_t size() const { return servers_.size(); }
    Node look_at(std::size_t index, std::chrono::seconds read_timeout);

private:
    struct Server {
        core::Config::DatabaseServer address;
        CircuitBreaker* breaker;
    };
    std::unique_ptr<sql::Connection> open(std::size_t index, std::chrono::seconds read_timeout);
    std::unique_ptr<sql::Connection> join(std::size_t index, std::chrono::seconds read_timeout);

    const core::Config::Database config_;
    const Use use_;
    std::vector<Server> servers_;
    Position position_;
};

}  // namespace tradepost::db
