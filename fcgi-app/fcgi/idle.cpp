#include "fcgi/idle.h"

#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "core/byte_locks.h"
#include "core/log.h"

namespace tradepost::fcgi {
namespace {

using steady = std::chrono::steady_clock;

std::chrono::seconds seconds_of(const char* variable) {
    const char* text = std::getenv(variable);
    unsigned seconds = 0;
    if (!text || std::from_chars(text, text + std::strlen(text), seconds).ec != std::errc()) return {};
    return std::chrono::seconds(seconds);
}

}  // namespace

Idle::Idle(const std::string& file) : Idle(file, seconds_of("END_IDLE_AFTER"), seconds_of("END_IDLE_POOL_AFTER")) {}

Idle::Idle(const std::string& file, std::chrono::seconds worker, std::chrono::seconds pool) : worker_(worker), pool_(pool) {
    if (pool_ == pool_.zero()) return;
    std::string why;
    file_ = core::open_lock_file(file, why);
    if (!file_) core::log::warning("idle_pool_stays", {{"file", file}, {"reason", why}});
    wake();
}

void Idle::wake() {
    if (file_ && !awake_) awake_ = core::share_byte(file_.get(), 0) == core::ByteLock::ours;
}

void Idle::used() {
    last_ = steady::now();
    has_served_ = true;
    wake();
}

bool Idle::is_over() {
    const auto idle = steady::now() - last_;
    if (awake_ && idle >= pool_) {
        core::unlock_bytes(file_.get(), 0, 1);
        awake_ = false;
        const auto parent = getppid();
        if (!core::others_lock(file_.get(), 0, 1) && parent > 1) {
            core::log::info("idle_pool_ends", {{"worker", getpid()}});
            kill(parent, SIGTERM);
        }
    }
    return has_served_ && worker_ > worker_.zero() && idle >= worker_;
}

}  // namespace tradepost::fcgi
