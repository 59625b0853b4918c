#include "fcgi/background.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

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
    const int file = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    [[maybe_unused]] const auto written = write(file, nice, sizeof nice - 1);
    close(file);
}

}  // namespace

bool computes_for_long(std::string_view pool) {
    return pool == "auth" || pool == "uploads";
}

void leave_room_for_others() noexcept {
    leave_first_processor();
    lower_weight_of_session();
}

}  // namespace tradepost::fcgi
