#include "db/circuit_breaker.h"

#include <map>
#include <mutex>
#include <string>
#include <tuple>

namespace tradepost::db {

using steady = std::chrono::steady_clock;

CircuitBreaker& CircuitBreaker::of(const core::Config::DatabaseServer& server) {
    static std::mutex mutex;
    static std::map<std::tuple<std::string, std::string, int>, CircuitBreaker> all;
    const std::lock_guard lock(mutex);
    return all[{server.socket, server.host, server.port}];
}

bool CircuitBreaker::is_closed() const {
    return probe_at_ == 0;
}

bool CircuitBreaker::may_probe() const {
    return steady::now().time_since_epoch().count() >= probe_at_;
}

void CircuitBreaker::open(steady::duration wait) {
    probe_at_ = (steady::now() + wait).time_since_epoch().count();
}

void CircuitBreaker::close() {
    probe_at_ = 0;
}

}  // namespace tradepost::db
