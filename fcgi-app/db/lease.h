// A lease lets one process of all hosts do something at a time. It is a row of the table `leases`, because a server's locks hold on one node
// of a cluster only.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::db {

// A lease ends with its lifetime unless renew() is called before, or with this object. Its times are those of the
// database's clock, so the hosts' clocks do not matter. Borrows the connection.
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

}  // namespace tradepost::db
