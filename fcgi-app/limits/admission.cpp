#include "limits/admission.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace tradepost::limits {
namespace {

using std::chrono::milliseconds;

// By Cost.
constexpr Shares table[] = {
    /* cheap  */ {.caller = Share{1, 4, 2}},
    /* search */ {.caller = Share{1, 4, 2}, .at_once = Share{1, 4}, .leaves_one = true, .pool = Share{1, 2}},
    /* write  */ {.caller = Share{1, 4, 2}, .leaves_one = true},
    /* bulk   */ {.caller = Share{1, 2}, .leaves_one = true},
    /* hash   */ {.caller = Share{1, 2}, .at_once = Share{1, 4}},
};
static_assert(std::size(table) == cost_names.size());

}  // namespace

const Shares& shares(Cost cost) {
    return table[std::size_t(cost)];
}

Admission::Admission(std::string path, int workers, const core::Clock& clock)
    : turns_(std::move(path), clock), workers_(std::clamp(workers, 1, Turns::most_places)) {}

int Admission::workers(const Share& share) const {
    return std::max({1, workers_ * share.parts / share.of, std::min(share.at_least, workers_ - 1)});
}

Admission::Refusal Admission::admit(Cost cost, std::span<const std::string> keys, milliseconds longest_wait) noexcept {
    end();
    held_now_ = true;
    const auto& bounds = shares(cost);
    const auto refuse = [this](Refusal why) {
        end();
        return why;
    };
    // Places first: one that is refused has not waited.
    const auto occupy = [this](std::size_t which, std::string_view key, int places) {
        auto found = turns_.take(key, places);
        held_[which] = std::move(found.place);
        return found.taken;
    };
    if (bounds.caller)
        for (std::size_t i = 0; i < std::min(keys.size(), most_keys); ++i)
            if (!occupy(i, keys[i], workers(*bounds.caller))) return refuse(Refusal::caller);
    if (bounds.leaves_one && !occupy(expensive, "expensive", std::max(1, workers_ - 1))) return refuse(Refusal::pool);
    if (bounds.at_once && !held_[0].work(workers(*bounds.at_once), longest_wait)) return refuse(Refusal::caller);
    if (bounds.pool && !occupy(of_cost, cost_names[std::size_t(cost)], workers(*bounds.pool))) return refuse(Refusal::pool);
    return Refusal::none;
}

void Admission::end() noexcept {
    for (auto& each : held_) each = Turns::Place();
    held_now_ = false;
}

int pool_size() {
    const char* text = std::getenv("WORKERS");
    int workers = 0;
    if (!text || std::from_chars(text, text + std::strlen(text), workers).ec != std::errc() || workers < 1) return 4;
    return std::min(workers, Turns::most_places);
}

}  // namespace tradepost::limits
