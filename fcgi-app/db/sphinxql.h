// A session with a search server that speaks SphinxQL: Sphinx, or Manticore Search. It uses the protocol of MySQL, and text statements
// only.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "core/config.h"
#include "db/connection.h"

namespace tradepost::db {

// Statements have no `?`: the caller writes numbers, and texts of letters and digits. Each method connects when it has to, and throws
// Error or Unavailable: at once for 2 seconds after the server let a connection of this process wait in vain.
class SphinxQl {
public:
    // Does not connect. `read_timeout` bounds a silent server.
    SphinxQl(const core::Config::Search& config, std::chrono::seconds read_timeout);
    ~SphinxQl();
    SphinxQl(const SphinxQl&) = delete;
    SphinxQl& operator=(const SphinxQl&) = delete;

    // Runs a SELECT or SHOW. What finds its connection closed is sent once more on a new one, unless it is about the statement before.
    enum class Session { any, same };
    Rows query(const std::string& statement, Session session = Session::any);
    // Runs anything else, once. Within BEGIN and COMMIT a lost connection loses what was sent before.
    void execute(const std::string& statement);

    // What the server says of itself when it is connected to, such as "2.2.11-id64-release (95ae9a6)".
    std::string version();

    void close() noexcept;  // the next statement connects anew

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// A text in quotes. It throws std::logic_error for any character but letters, digits, spaces and ( ) | ! " * @ , . _ in it, so no text of a user
// gets to the server as it is.
std::string sphinx_literal(std::string_view text);

}  // namespace tradepost::db
