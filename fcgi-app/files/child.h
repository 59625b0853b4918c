// A confined child process, for programs that read untrusted files: limited memory and time, and what Confinement leaves it.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace tradepost::files {

struct ChildLimits {
    std::chrono::seconds cpu{10};
    std::chrono::steady_clock::time_point deadline;  // then it is killed
    std::uint64_t memory = 1ull << 30;               // bytes of address space
    std::uint64_t file = 128ull << 20;               // bytes of any file that it writes
    bool every_format = false;                       // vips reads PDFs too, and whatever else it calls untrusted
};

enum class ChildEnd {
    succeeded,  // exit status 0
    failed,     // another status
    killed,     // by a signal, such as at a limit other than the deadline
    timed_out,  // killed at the deadline
};

struct ChildResult {
    ChildEnd end = ChildEnd::failed;
    std::string output, messages;  // the first 4 KiB of its standard output and of its standard error
};

// Runs arguments[0], a path, without a shell, in `directory`, the only place that it may write to. The child has none of our
// descriptors and environment, no sockets, and a session of its own with a low priority for its first seconds; its memory is never
// dumped, and it dies with us. Throws std::system_error when it cannot be started, or cannot be confined.
ChildResult run_child(const std::vector<std::string>& arguments, const std::string& directory, const ChildLimits& limits);

}  // namespace tradepost::files
