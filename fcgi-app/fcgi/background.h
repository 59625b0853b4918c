// For pools that compute for long: how they leave the processors to those that answer at once.
#pragma once
#include <string_view>

namespace tradepost::fcgi {

// True of the pools that hash passwords and decode pictures.
bool computes_for_long(std::string_view pool);

// From now on this process and its children run on all processors but the first of those they may use, when there are several, so that
// a short request always finds one free; and where sessions share the processors by weight (sched(7), autogroup) this one has a quarter. What
// the system does not permit is left undone.
void leave_room_for_others() noexcept;

}  // namespace tradepost::fcgi
