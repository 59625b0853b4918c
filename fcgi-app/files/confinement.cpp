#include "files/confinement.h"

#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cstring>
#include <memory>
#include <vector>

#include "files/files.h"

namespace tradepost::files {
namespace {

constexpr std::uint64_t read_only = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t device = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE;
constexpr std::uint64_t read_write = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                     LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE;
// Every right of Landlock's first version (Linux 5.13). The filter below refuses what it does not know, such as truncate(2).
constexpr std::uint64_t every_right = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;

[[noreturn]] void refuse(const std::string& what) {
    throw std::system_error(ENOTSUP, std::generic_category(),
                            "pictures cannot be decoded, as " + what + " (" + std::strerror(errno) +
                                "): Landlock (landlock(7)) and seccomp(2) are needed, which a container may have to permit");
}

// A missing path is no error: not every system has it.
void allow(int ruleset, const std::string& path, std::uint64_t access) {
    const core::FileDescriptor place(open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!place && errno == ENOENT) return;
    landlock_path_beneath_attr rule{};
    rule.allowed_access = access;
    rule.parent_fd = place.get();
    if (!place || syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
        refuse("Landlock refuses " + path);
}

using Filter = std::vector<sock_filter>;

// What no decoder needs, and Landlock does not govern: sockets, other processes, owners and modes of files, namespaces, and calls that
// pass by this filter.
constexpr const char* refused[] = {
    "socket",
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
    "fchmodat2",
    "chown",
    "fchown",
    "lchown",
    "fchownat",
    "utime",
    "utimes",
    "utimensat",
    "futimesat",
    "setxattr",
    "lsetxattr",
    "fsetxattr",
    "removexattr",
    "lremovexattr",
    "fremovexattr",
    "mknod",
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
    "fanotify_init",
};

Filter make_filter() {
    const std::unique_ptr<void, decltype(&seccomp_release)> rules(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release);
    bool good = rules != nullptr;
    // In place of SCMP_A0(), which expands to a compound literal, and C++ has none.
    const auto first_argument = [](scmp_compare is, std::uint64_t a, std::uint64_t b) { return scmp_arg_cmp{0, is, a, b}; };
    const auto add = [&](std::uint32_t action, int call, auto... conditions) {
        good = good && seccomp_rule_add(rules.get(), action, call, sizeof...(conditions), conditions...) == 0;
    };
    for (const char* name : refused) {
        const int call = seccomp_syscall_resolve_name(name);
        // An older library does not know the newest calls, which an older kernel does not have.
        if (call != __NR_SCMP_ERROR) add(SCMP_ACT_ERRNO(EPERM), call);
    }
    // Its own limits, which the C library reads, and no other process's.
    add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), first_argument(SCMP_CMP_NE, 0, 0));
    // Threads are allowed, namespaces are not. The flags of clone3 cannot be seen; without it the C library uses clone.
    add(SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3));
    for (const std::uint64_t flag :
         {CLONE_NEWUSER, CLONE_NEWNET, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP})
        add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), first_argument(SCMP_CMP_MASKED_EQ, flag, flag));
    const core::FileDescriptor file(memfd_create("filter", MFD_CLOEXEC));
    if (!good || !file || seccomp_export_bpf(rules.get(), file.get()) != 0) refuse("libseccomp makes no filter");
    Filter filter(std::size_t(lseek(file.get(), 0, SEEK_END)) / sizeof(sock_filter));
    const auto bytes = ssize_t(filter.size() * sizeof(sock_filter));
    if (pread(file.get(), filter.data(), std::size_t(bytes), 0) != bytes) refuse("libseccomp makes no filter");
    return filter;
}

const Filter& filter() {
    static const Filter made = make_filter();
    return made;
}

}  // namespace

Confinement::Confinement(const std::string& directory) {
    landlock_ruleset_attr attributes{};
    attributes.handled_access_fs = every_right;
    ruleset_ =
        core::FileDescriptor(int(syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0)));
    if (!ruleset_) refuse("the kernel offers no Landlock");
    for (const char* programs : {"/usr", "/lib", "/lib64"}) allow(ruleset_.get(), programs, read_only);
    allow(ruleset_.get(), "/etc/ld.so.cache", LANDLOCK_ACCESS_FS_READ_FILE);
    allow(ruleset_.get(), "/dev/null", device);
    allow(ruleset_.get(), directory, read_write);
    filter();
}

bool Confinement::apply() const noexcept {
    const sock_fprog program{static_cast<unsigned short>(filter().size()), const_cast<sock_filter*>(filter().data())};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_landlock_restrict_self, ruleset_.get(), 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace tradepost::files
