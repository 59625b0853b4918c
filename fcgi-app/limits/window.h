// Parts of both counter stores: the arithmetic of a fixed window, and the result while a store is not available.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>

#include "core/clock.h"
#include "core/config.h"
#include "core/log.h"
#include "limits/limiter.h"

namespace tradepost::limits {

// A rate's window, at least 1 s; at most some 68 years, so that adding it to a time cannot overflow.
inline std::int64_t window_seconds(core::Rate rate) {
    return std::clamp<std::int64_t>(rate.window.count(), 1, 0x7fffffff);
}
inline std::int64_t window_ms(core::Rate rate) {
    return window_seconds(rate) * 1000;
}

// The verdict on a request after which `used` of the window's requests are used and `left_ms` of its time are left.
inline Verdict verdict(bool allowed, core::Rate rate, std::uint64_t used, std::int64_t left_ms) {
    const auto reset = std::clamp<std::int64_t>((left_ms + 999) / 1000, 1, window_seconds(rate));
    const auto remaining = used < rate.requests ? rate.requests - used : 0;
    return {allowed, rate.requests, static_cast<std::uint32_t>(remaining), static_cast<std::uint32_t>(reset)};
}

// The verdict when nothing could be counted: the request is allowed.
inline Verdict allow_uncounted(core::Rate rate) {
    return verdict(true, rate, 0, window_ms(rate));
}

// Logs a store's failure at most once a minute: a warning for each request could fill the disk.
class MinuteWarning {
public:
    MinuteWarning(const core::Clock& clock, std::string store) : clock_(clock), store_(std::move(store)) {}

    void operator()(std::string_view reason) noexcept {
        const core::Time now = clock_.now();
        if (warned_ && now - last_ < std::chrono::minutes(1) && now >= last_) return;
        warned_ = true;
        last_ = now;
        core::log::warning("rate_limits_not_counted", {{"store", store_}, {"reason", reason}});
    }

private:
    const core::Clock& clock_;
    std::string store_;
    bool warned_ = false;
    core::Time last_{};
};

}  // namespace tradepost::limits
