#include "core/truncation_guard.h"

#include <sys/mman.h>

#include <csignal>
#include <cstdint>
#include <stdexcept>

namespace tradepost::core {
namespace {

struct Watched {
    std::atomic<std::uintptr_t> begin;  // 0: free
    std::atomic<std::size_t> bytes;
    std::atomic<bool> lost;
};

// A process has three, and a test many more.
Watched watched[1024];

// System calls and lock-free atomics only.
void on_bus_error(int signal_number, siginfo_t* info, void*) {
    const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (auto& one : watched) {
        const std::uintptr_t begin = one.begin;
        if (begin == 0 || at < begin || at - begin >= one.bytes) continue;
        if (mmap(reinterpret_cast<void*>(begin), one.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                 0) == MAP_FAILED)
            break;
        one.lost = true;
        return;
    }
    (void)std::signal(signal_number, SIG_DFL);
    (void)raise(signal_number);
}

void install_handler() {
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGBUS, &action, nullptr);
}

}  // namespace

TruncationGuard::TruncationGuard(void* address, std::size_t bytes) {
    // Each time, as another library may have set its own.
    install_handler();
    for (index_ = 0; index_ < std::size(watched); ++index_) {
        auto& one = watched[index_];
        if (one.begin != 0) continue;
        one.bytes = bytes;
        one.lost = false;
        one.begin = reinterpret_cast<std::uintptr_t>(address);
        return;
    }
    throw std::runtime_error("more shared files are open than can be watched");
}

TruncationGuard::~TruncationGuard() {
    watched[index_].begin = 0;
}

bool TruncationGuard::lost() const noexcept {
    return watched[index_].lost;
}

}  // namespace tradepost::core
