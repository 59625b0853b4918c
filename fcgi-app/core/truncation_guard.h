// Survival of mapped files that somebody truncates: access to a lost page raises SIGBUS, which would end the process.
#pragma once
#include <atomic>
#include <cstddef>

namespace tradepost::core {

// Watches one mapping. When access to it raises SIGBUS, the handler puts zeroed memory of this process alone in its place and sets
// lost(); the access then goes on there. A SIGBUS anywhere else ends the process as ever.
class TruncationGuard {
public:
    // Throws std::runtime_error when too many mappings are watched.
    TruncationGuard(void* address, std::size_t bytes);
    ~TruncationGuard();
    TruncationGuard(const TruncationGuard&) = delete;
    TruncationGuard& operator=(const TruncationGuard&) = delete;

    bool lost() const noexcept;

private:
    std::size_t index_;
};

}  // namespace tradepost::core
