// What a confined process may not do, call by call.
#define BOOST_TEST_DYN_LINK
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <csignal>
#include <functional>

#include "files/confinement.h"
#include "support/threads.h"
#include "unit/limits_support.h"

using namespace tradepost;

namespace {

// The error number with which a call ends in a confined process; 0: it does what it is asked.
int error_of(const std::function<long()>& call) {
    const limits::test::TemporaryFolder folder;
    const files::Confinement confinement(folder.path.string());
    const pid_t child = fork();
    if (child == 0) {
        if (!confinement.apply()) _exit(255);
        errno = 0;
        _exit(call() == -1 ? errno : 0);
    }
    int status = 0;
    BOOST_REQUIRE(waitpid(child, &status, 0) == child);
    BOOST_REQUIRE(WIFEXITED(status));
    BOOST_REQUIRE_MESSAGE(WEXITSTATUS(status) != 255, "the process is not confined");
    return WEXITSTATUS(status);
}

// Without a flag in clone() the kernel makes a process, which must not go on with the test.
long clone_with(unsigned long flags) {
    const long made = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
    if (made == 0) _exit(0);
    return made;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(files_confinement)

// With arguments of 0 each of them does nothing or ends with another error where it is allowed.
BOOST_AUTO_TEST_CASE(refuses_what_no_decoder_needs) {
    for (const char* name : {"socket",
                             "socketpair",
                             "connect",
                             "bind",
                             "listen",
                             "accept",
                             "accept4",
                             "sendto",
                             "sendmsg",
                             "sendmmsg",
                             "ptrace",
                             "process_vm_readv",
                             "process_vm_writev",
                             "kill",
                             "tkill",
                             "pidfd_open",
                             "pidfd_getfd",
                             "pidfd_send_signal",
                             "kcmp",
                             "setpriority",
                             "sched_setscheduler",
                             "sched_setattr",
                             "truncate",
                             "chmod",
                             "fchmod",
                             "fchmodat",
                             "chown",
                             "fchown",
                             "lchown",
                             "fchownat",
                             "utimensat",
                             "setxattr",
                             "fsetxattr",
                             "removexattr",
                             "mknodat",
                             "unshare",
                             "setns",
                             "mount",
                             "umount2",
                             "pivot_root",
                             "chroot",
                             "open_by_handle_at",
                             "fsopen",
                             "move_mount",
                             "open_tree",
                             "bpf",
                             "perf_event_open",
                             "userfaultfd",
                             "io_uring_setup",
                             "io_uring_enter",
                             "io_uring_register",
                             "add_key",
                             "request_key",
                             "keyctl",
                             "shmget",
                             "shmat",
                             "msgget",
                             "semget",
                             "mq_open",
                             "inotify_init1",
                             "fanotify_init"}) {
        const int number = seccomp_syscall_resolve_name(name);
        BOOST_REQUIRE_MESSAGE(number != __NR_SCMP_ERROR, name);
        if (number < 0) continue;  // this processor has another call for it
        BOOST_TEST_CONTEXT(name) {
            BOOST_TEST(error_of([&] { return syscall(number, 0, 0, 0, 0, 0, 0); }) == EPERM);
        }
    }
}

BOOST_AUTO_TEST_CASE(reads_its_own_limits_and_no_others) {
    const pid_t other = getpid();
    BOOST_TEST(error_of([] {
                   rlimit limit;
                   return long(prlimit(0, RLIMIT_NOFILE, nullptr, &limit));
               }) == 0);
    BOOST_TEST(error_of([&] {
                   rlimit limit;
                   return long(prlimit(other, RLIMIT_NOFILE, nullptr, &limit));
               }) == EPERM);
}

BOOST_AUTO_TEST_CASE(has_threads_and_no_namespaces) {
    BOOST_TEST(error_of([] {
                   bool ran = false;
                   test::Thread([&] { ran = true; }).join();
                   return ran ? 0L : -1L;
               }) == 0);
    BOOST_TEST(error_of([] { return clone_with(0); }) == 0);
    for (const unsigned long flag : std::to_array<unsigned long>(
             {CLONE_NEWUSER, CLONE_NEWNET, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP}))
        BOOST_TEST_CONTEXT(flag) {
            BOOST_TEST(error_of([&] { return clone_with(flag); }) == EPERM);
        }
    // Its flags are out of the filter's sight, and the C library then uses clone().
    BOOST_TEST(error_of([] { return syscall(SYS_clone3, nullptr, 0); }) == ENOSYS);
}

BOOST_AUTO_TEST_SUITE_END()
