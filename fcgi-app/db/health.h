// Whether the database can serve: what /readyz answers.
#pragma once
#include <cstdint>
#include <string>

#include "db/connection.h"

namespace tradepost::db {

class Health {
public:
    // The last step of sql/ that the statements of this program rely on.
    static constexpr int needed_migration = 99;

    explicit Health(db::Connection& connection) : connection_(connection) {}

    // The schema's last step, 0 for a database without tables. Throws Error.
    std::int64_t applied();

    // Empty when the database answers, its schema is the one this program was built for, and it takes writes; else what is wrong, for the
    // log. Writes nothing. Throws db::Unavailable when the database is away.
    std::string fault();

    // Empty when a row can be written, which is tried and rolled back; else why not, and what to do. Throws db::Unavailable as above.
    std::string write_fault();

private:
    std::string fault_of(const char* statement);

    db::Connection& connection_;
};

// Why the server refused a write that it refuses to everybody or to this user, and what an operator can do. Empty: `error` is another one.
std::string refused_write(const Error& error);

// A transaction has more rows or bytes than the server takes in one. The server has rolled it back, and would do so again. Also the number that
// make_failure() gives to Galera's errors of this meaning.
inline constexpr int transaction_too_large = 1197;

// What --version of a program prints: "tradepostctl 2.0.0 (schema 87)".
std::string version_line(const char* program);

}  // namespace tradepost::db
