#include "scale/cost.h"

#include <algorithm>

#include "app.h"
#include "identity/tokens/tokens.h"
#include "support/case_match.h"

namespace tradepost::test {
namespace {

struct Unlimited final : limits::Limiter {
    limits::Verdict count(std::string_view, std::string_view, core::Rate rate, limits::Use) noexcept override {
        return {true, rate.requests, rate.requests, 1};
    }
};

// Global figures: the request has a connection of its own. Of an index condition's rows the server sees only those that meet it.
Cost counters(SizedDatabase& database) {
    Cost cost;
    for (const auto& row : database.connection().query("SHOW GLOBAL STATUS WHERE variable_name LIKE 'Handler_read%' OR "
                                                       "variable_name IN ('Handler_icp_attempts', 'Sort_rows')")) {
        const auto value = std::stoll(row.text(1));
        cost.read += value;
        if (row.text(0) == "Handler_read_rnd_next") cost.scanned = value;
    }
    return cost;
}

Cost operator-(const Cost& a, const Cost& b) {
    return {a.read - b.read, a.scanned - b.scanned};
}

std::string token(SizedDatabase& database, Caller caller) {
    const std::string number = caller == Caller::dealer ? "0" : "1";
    const auto plain = fixture_token("scale " + number), hash = identity::token_hash(plain);
    database.connection().execute(
        "INSERT IGNORE INTO api_tokens (id, user_id, hash, name, created_at, expires_at, last_used_at) SELECT id, id, ?, "
        "'scale', ?, ?, ? "
        "FROM users WHERE email = ?",
        {db::Binary{hash}, database.now(), database.now() + std::chrono::hours(24 * 90), database.now(),
         "user" + number + "@dealer.example"});
    return plain;
}

}  // namespace

Measured measure(SizedDatabase& database, core::Time now, const std::string& target, Caller caller, const std::string& method,
                 const std::string& body) {
    core::Config config;
    config.database = database.config();
    const core::ManualClock clock(now);
    Unlimited limiter;
    http::Request request;
    request.method = method;
    request.target = "/api/v1" + target;
    request.client_address = "198.51.100.1";
    if (caller != Caller::anybody) request.headers.emplace_back("authorization", "Bearer " + token(database, caller));
    if (!body.empty()) request.headers.emplace_back("content-type", "application/json");
    request.body = body;

    const auto idle = [&] {
        const auto before = counters(database);
        return counters(database) - before;
    }();
    App app(config, clock, limiter);
    const auto before = counters(database);
    auto response = app.handle(request);
    auto cost = counters(database) - before - idle;
    return {std::move(response), cost};
}

Measured measure(SizedDatabase& database, const std::string& target, Caller caller, const std::string& method,
                 const std::string& body) {
    return measure(database, database.now(), target, caller, method, body);
}

std::string parameter(const std::string& name, const std::string& value) {
    constexpr const char* digits = "0123456789ABCDEF";
    std::string text = name + "=";
    for (const unsigned char c : value) {
        if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '.')
            text += char(c);
        else
            text.append({'%', digits[c >> 4], digits[c & 15]});
    }
    return text;
}

}  // namespace tradepost::test
