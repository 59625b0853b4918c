// What one request makes the database server read.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "http/response.h"
#include "scale/database.h"

namespace tradepost::test {

// Counters of the server, which serves nobody else meanwhile.
struct Cost {
    std::int64_t read = 0;     // rows and entries of indexes that were read, looked at by the storage engine, or sorted
    std::int64_t scanned = 0;  // of these, rows in the order of their table: what a missing index leads to
};

// Whose software asks: nobody's, that of a member of organisation 0, or of 0, 1 and 2.
enum class Caller { anybody, dealer, group };

struct Measured {
    http::Response response;
    Cost cost;
};

// Answers a request as a worker does that has just begun: it remembers nothing. Its clock shows `now`.
Measured measure(SizedDatabase& database, const std::string& target, Caller caller, const std::string& method = "GET",
                 const std::string& body = {});
Measured measure(SizedDatabase& database, core::Time now, const std::string& target, Caller caller,
                 const std::string& method = "GET", const std::string& body = {});

// "name=value", percent-encoded.
std::string parameter(const std::string& name, const std::string& value);

}  // namespace tradepost::test
