// A lease lets one process of all hosts do something at a time. It is a row of the table `leases`, because a server's locks hold on one node
// of a cluster only.
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::db {

// A lease ends with its lifetime unless renew() is called before, with this object, or with the process: who finds that the holder was a process
// of this host, and is gone, takes the lease at once. Its times are those of the database's clock, so the hosts' clocks do not matter.
// Borrows the connection.
class Lease {
public:
    // Empty when another holder has it; `holder` then says who. Throws Error.
    static std::optional<Lease> take(Connection& connection, std::string_view name, std::chrono::seconds lifetime,
                                     std::string* holder = nullptr);
    ~Lease();
    Lease(Lease&& other) noexcept;
    Lease& operator=(Lease&&) = delete;

    // Gives it a whole lifetime from now on. False when it had ended and somebody else has taken it: then stop.
    bool renew();

private:
    Lease(Connection& connection, std::string_view name, std::chrono::seconds lifetime);

    Connection* connection_;
    std::string name_;
    std::chrono::seconds lifetime_;
    core::Uuid token_;
};

// A lease for work of any length: a thread renews it, on a connection of its own, which is open for that moment only.
class KeptLease {
public:
    // Null when another holder has it; `holder` then says who. `lost` is called in the thread when somebody else has the lease, or soon may
    // have it since the database does not answer: it ends the work before that writes more. Throws Error.
    static std::unique_ptr<KeptLease> take(const core::Config::Database& config, std::string_view name,
                                           std::function<void()> lost, std::string* holder = nullptr,
                                           std::chrono::seconds lifetime = std::chrono::seconds(60));

private:
    KeptLease(const core::Config::Database& config, std::function<void()> lost, std::chrono::seconds lifetime);
    void keep(const std::stop_token& stop);

    Connection connection_;
    std::function<void()> lost_;
    std::chrono::milliseconds lifetime_;
    std::optional<Lease> lease_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;  // ends before the lease does
};

}  // namespace tradepost::db
