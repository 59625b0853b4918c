// Background scheduling, for worker pools whose requests need much CPU time.
#pragma once
#include <string_view>

namespace tradepost::fcgi {

// True for the pools that hash passwords and decode pictures.
bool is_cpu_bound(std::string_view pool);

// If this process may use several processors, it and its children no longer use the first of them, which stays free for short requests. If
// the kernel weighs sessions (sched(7), autogroup), this one gets a quarter of the usual weight. Does nothing that the system forbids.
void run_in_background() noexcept;

}  // namespace tradepost::fcgi
