// The data that .case files are written against: tests/api/fixture/.
#pragma once
#include <string>

#include "db/connection.h"

namespace tradepost::test {

// Writes users, organisations, jobs, events, posts and stock through the same field descriptions and writers as an import, then
// memberships, tokens and enquiries. The tables are empty. Throws std::runtime_error naming file and line.
void load_fixture(db::Connection& connection, const std::string& directory);

}  // namespace tradepost::test
