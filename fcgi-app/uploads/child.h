// Runs a program on a file that nobody trusts: little memory, little time, no network, nothing of ours.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tradepost::uploads {

struct ChildLimits {
    std::chrono::seconds cpu{15};
    std::chrono::steady_clock::time_point until;  // then it is killed
    std::uint64_t memory = 1ull << 30;            // bytes of address space
    std::uint64_t file = 128ull << 20;            // bytes of any file that it writes
};

enum class ChildEnd {
    done,      // exit status 0
    failed,    // another status, or a signal: also when it broke a limit but the one of time
    too_late,  // `until` came
};

struct ChildResult {
    ChildEnd end = ChildEnd::failed;
    std::string messages;  // the first 4 KiB of its standard error
};

// Runs arguments[0], a path, without a shell, in `directory`. It has none of our descriptors and environment, no network where
// the kernel lets us take it away, a session of its own that lets others go first for its first seconds, and dies with us. Throws
// std::system_error when it cannot be started.
ChildResult run_child(const std::vector<std::string>& arguments, const std::string& directory, const ChildLimits& limits);

}  // namespace tradepost::uploads
