// The inside of a Connection: private to this folder.
#pragma once
#include <cppconn/connection.h>
#include <cppconn/statement.h>

#include "db/connection.h"
#include "db/connection_limit_impl.h"
#include "db/failure.h"
#include "db/servers.h"
#include "db/session.h"

namespace tradepost::db {

// Its own session is the one in use. With a ConnectionLimit there is none between statements, unless it is held.
struct Connection::Impl : Session {
    Impl(const core::Config::Database& config, std::chrono::seconds t, CommitObserver* o, Use its)
        : servers(config, its), read_timeout(t), observer(o), use(its) {}

    // Adds its lifetime to the time spent with the server.
    struct Timer {
        Impl& impl;
        Place place;
        std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
        ~Timer();
    };

    // Gives the session back at its end.
    struct Borrowed {
        Impl& impl;
        ~Borrowed() { impl.give_back(); }
    };

    std::unique_ptr<sql::Connection> connect(std::chrono::seconds timeout);
    void borrow();
    void give_back() noexcept;
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
    const Use use;
    ConnectionLimit::Impl* const limit = ConnectionLimit::Impl::of_this_process;
    int held = 0;  // by so many Held
    bool limits_lock_waits = false;
    bool transaction = false;
    std::vector<std::string> noted;  // in the open transaction
    std::vector<std::function<void()>> after_commit;
    std::optional<Failure> failure;  // what ended the open transaction: thrown by every later statement of it
    std::chrono::steady_clock::duration spent{}, longest{};
    Place longest_at{};
    ErrorCounts errors;
};

}  // namespace tradepost::db
