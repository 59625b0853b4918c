// Holds the change log against what really changed.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::test {

class ChangeWatch {
public:
    // Remembers all rows of the collections as they are. Borrows the connection.
    explicit ChangeWatch(db::Connection& connection) : connection_(connection) { start(); }
    void start();

    // What the log lacks or has wrongly since start(), a sentence each, and starts again. A row that changed must have been recorded,
    // with its organisation, and at last as it is: written or removed.
    std::vector<std::string> faults();

    std::size_t recorded() const { return recorded_; }  // that faults() saw

private:
    struct Row {
        std::string organisation, content;
        bool operator==(const Row&) const = default;
    };
    using Rows = std::map<std::pair<std::string, core::Uuid>, Row>;
    Rows read();

    db::Connection& connection_;
    Rows before_;
    std::uint64_t last_ = 0;
    std::size_t recorded_ = 0;
};

}  // namespace tradepost::test
