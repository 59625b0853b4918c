// The inside of a Connection: private to this folder.
#pragma once
#include <cppconn/connection.h>
#include <cppconn/statement.h>

#include "db/connection.h"
#include "db/failure.h"
#include "db/servers.h"

namespace tradepost::db {

struct Connection::Impl {
    Impl(const core::Config::Database& config, std::chrono::seconds t, CommitObserver* o, Use use)
        : servers(config, use), read_timeout(t), observer(o) {}

    // Adds its lifetime to the time spent with the server.
    struct Timer {
        Impl& impl;
        Place place;
        std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
        ~Timer();
    };

    std::unique_ptr<sql::Connection> connect(std::chrono::seconds timeout);
    bool open();
    void require_answering_server(std::string_view sql);
    void probe();
    void discard() noexcept;
    // What becomes of a statement whose connection fails.
    enum class Again {
        never,        // it may have taken effect
        read,         // it is sent once more, in a cluster to another node
        limited_read  // the same, unless it took long: it has a time limit, which says nothing of the server
    };
    template <class Read>
    auto send(std::string_view sql, std::span<const Value> values, Again again, Place place, Read&& read);
    std::uint64_t run(std::string_view sql, std::span<const Value> values, Again again, Place place);
    void commit(Place place);
    void count(const Error& error);
    static Rows read_rows(sql::Statement& with, const std::string& text);

    Servers servers;
    const std::chrono::seconds read_timeout;
    CommitObserver* const observer;
    std::unique_ptr<sql::Connection> session;  // empty: not connected
    std::unique_ptr<sql::Statement> statement;
    bool mariadb = false;
    bool transaction = false;
    std::vector<std::string> noted;  // in the open transaction
    std::vector<std::function<void()>> after_commit;
    std::optional<Failure> failure;  // what ended the open transaction: thrown by every later statement of it
    std::chrono::steady_clock::time_point last_use{};
    std::chrono::steady_clock::duration spent{}, longest{};
    Place longest_at{};
    ErrorCounts errors;
};

}  // namespace tradepost::db
