// What a request costs its pool of workers. Each row of the route table names one.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace tradepost::limits {

enum class Cost : std::uint8_t {
    cheap,   // answered from a cache, or by a key
    search,  // a list: cheap while the cache or kept counts answer it, expensive with `q` or where rows have to be counted
    write,   // a transaction that locks rows
    bulk,    // a feed, an upload
    hash,    // a password
};

inline constexpr std::array<std::string_view, 5> cost_names{"cheap", "search", "write", "bulk", "hash"};

}  // namespace tradepost::limits
