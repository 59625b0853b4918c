#include "fcgi/background.h"

#include <fcntl.h>
#include <sched.h>

#include "core/file_descriptor.h"

namespace tradepost::fcgi {
namespace {

void leave_first_processor() noexcept {
    cpu_set_t processors;
    if (sched_getaffinity(0, sizeof processors, &processors) != 0 || CPU_COUNT(&processors) < 2) return;
    int first = 0;
    while (!CPU_ISSET(first, &processors)) ++first;
    CPU_CLR(first, &processors);
    sched_setaffinity(0, sizeof processors, &processors);
}

void lower_weight_of_session() noexcept {
    constexpr char nice[] = "5";
    const core::FileDescriptor file(open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC));
    [[maybe_unused]] const auto written = file ? write(file.get(), nice, sizeof nice - 1) : 0;
}

}  // namespace

bool is_cpu_bound(std::string_view pool) {
    return pool == "auth" || pool == "uploads";
}

void run_in_background() noexcept {
    leave_first_processor();
    lower_weight_of_session();
}

}  // namespace tradepost::fcgi
