// Admits a request to the workers of its pool, or refuses it. README.md has the table of shares and the reasons.
#pragma once
#include <array>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "limits/cost.h"
#include "limits/turns.h"

namespace tradepost::limits {

// How many of a pool's workers a share is, at least one.
struct Share {
    int parts, of;     // of the workers
    int at_least = 1;  // workers, where the pool has one more
};

// What the requests of one cost may occupy.
struct Shares {
    std::optional<Share> caller = {};   // of one caller, and of one organisation
    std::optional<Share> at_once = {};  // of these, how many work
    bool leaves_one = false;            // together with all others that do, they leave one worker to cheap requests
    std::optional<Share> pool = {};     // of all requests of this cost
};

const Shares& shares(Cost cost);

// One object serves one worker, which handles one request at a time.
class Admission {
public:
    // `workers` is the nominal size of the pool, from 1 to Turns::most_places.
    Admission(std::string path, int workers, const core::Clock& clock);

    enum class Refusal { none, caller, pool };

    // Occupies the shares of a request until end(). `keys` names who asks: the caller, then the caller's organisations, of which the first few count.
    // `longest_wait` is for the turn at work of one that has a place; all else is decided at once. Never throws.
    Refusal admit(Cost cost, std::span<const std::string> keys, std::chrono::milliseconds longest_wait = {}) noexcept;

    // Gives back what the last request occupied.
    void end() noexcept;
    bool is_held() const { return held_now_; }  // whether a request occupies shares

    // For turns at work that shares do not describe.
    Turns& turns() { return turns_; }

    // The workers of a share.
    int workers(const Share& share) const;

private:
    // The caller and four organisations, the place among expensive requests, that among those of the cost.
    static constexpr std::size_t most_keys = 5, expensive = most_keys, of_cost = most_keys + 1;

    Turns turns_;
    int workers_;
    bool held_now_ = false;
    std::array<Turns::Place, most_keys + 2> held_;
};

// Beside the rate limiter's counters, as the metrics; each pool has its own.
inline std::string admission_path(const core::Config& config, const std::string& pool) {
    return config.counters_path() + ":turns-" + pool;
}

// The nominal size of this worker's pool: the environment variable WORKERS, which the pool's service sets; else 4.
int pool_size();

}  // namespace tradepost::limits
