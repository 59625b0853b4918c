// What a pool that computes for long leaves to the others.
#define BOOST_TEST_DYN_LINK
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "fcgi/background.h"

using namespace tradepost;

namespace {

// The exit status of `work`, run in a process and a session of its own.
int in_a_session(int (*work)()) {
    const pid_t child = fork();
    if (child == 0) {
        setsid();
        _exit(work());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fcgi_background)

BOOST_AUTO_TEST_CASE(the_pools_that_hash_and_decode_compute_for_long) {
    BOOST_TEST(fcgi::is_cpu_bound("auth"));
    BOOST_TEST(fcgi::is_cpu_bound("uploads"));
    BOOST_TEST(!fcgi::is_cpu_bound("api"));
    BOOST_TEST(!fcgi::is_cpu_bound("default"));
}

BOOST_AUTO_TEST_CASE(the_first_processor_is_left_and_the_only_one_is_kept) {
    BOOST_TEST(in_a_session([] {
                   cpu_set_t before, after;
                   sched_getaffinity(0, sizeof before, &before);
                   fcgi::run_in_background();
                   sched_getaffinity(0, sizeof after, &after);
                   if (CPU_COUNT(&before) == 1) return CPU_EQUAL(&before, &after) ? 0 : 1;
                   int first = 0;
                   while (!CPU_ISSET(first, &before)) ++first;
                   CPU_CLR(first, &before);
                   return CPU_EQUAL(&before, &after) ? 0 : 2;
               }) == 0);
    BOOST_TEST(in_a_session([] {
                   cpu_set_t one;
                   CPU_ZERO(&one);
                   CPU_SET(0, &one);
                   if (sched_setaffinity(0, sizeof one, &one) != 0) return 0;
                   fcgi::run_in_background();
                   cpu_set_t after;
                   sched_getaffinity(0, sizeof after, &after);
                   return CPU_EQUAL(&one, &after) ? 0 : 1;
               }) == 0);
}

BOOST_AUTO_TEST_CASE(the_session_has_less_weight) {
    if (!std::ifstream("/proc/self/autogroup")) return;  // a kernel without
    BOOST_TEST(in_a_session([] {
                   fcgi::run_in_background();
                   std::string name, word, nice;
                   std::ifstream("/proc/self/autogroup") >> name >> word >> nice;
                   return nice == "5" ? 0 : 1;
               }) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
