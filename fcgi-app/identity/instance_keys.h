// The secret keys of an instance, which sign upload tickets, tags of lists and diagnosis passes.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "core/time.h"
#include "db/connection.h"

namespace tradepost::identity {

// Borrows the connection.
class InstanceKeys {
public:
    explicit InstanceKeys(db::Connection& connection) : connection_(connection) {}

    // The key of this name: 32 random bytes, the same for all processes of the instance. Created by the first call for the name, read
    // once by each object. Outside a transaction. Throws db::Unavailable or db::Error.
    const std::string& get(std::string_view name, core::Time now);

private:
    db::Connection& connection_;
    std::map<std::string, std::string, std::less<>> keys_;  // by name
};

}  // namespace tradepost::identity
