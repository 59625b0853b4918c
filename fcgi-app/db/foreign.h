// The database of another program, which is read and never written.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/config.h"

namespace tradepost::db {

class ForeignDatabase {
public:
    // Connects, and begins a read-only transaction that reads the rows of this moment. The server refuses to write in the session.
    // Throws Unavailable or Error.
    explicit ForeignDatabase(const core::Config::Database& config);
    ~ForeignDatabase();
    ForeignDatabase(const ForeignDatabase&) = delete;
    ForeignDatabase& operator=(const ForeignDatabase&) = delete;

    // Gives the statements that follow the variable @NAME.
    void set(std::string_view name, std::string_view value);

    // Sends one SELECT. Its columns' names go to `columns` once, and then its rows to `row`, one after the other as they arrive. Throws
    // Unavailable or Error, also when fewer rows arrive than the server counted.
    using Texts = std::vector<std::string>;
    using Cells = std::vector<std::optional<std::string>>;
    void each(const std::string& select, const std::function<void(const Texts&)>& columns,
              const std::function<void(const Cells&)>& row);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tradepost::db
