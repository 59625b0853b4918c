#include "files/child.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <csignal>
#include <exception>

#include "files/confinement.h"
#include "files/files.h"

namespace tradepost::files {
namespace {

// Workers that answer requests have priority for this time. Then the child gets the same weight: on a busy machine it would never
// finish otherwise.
constexpr std::chrono::seconds low_priority_time{3};

constexpr int not_confined = 125;  // an exit status

void limit(int resource, std::uint64_t value) {
    const rlimit both{value, value};
    if (setrlimit(__rlimit_resource(resource), &both) != 0) _exit(126);
}

// Sets the niceness, two digits, of a session's autogroup (sched(7)). System calls only. False when it has to be tried again; true
// also where the kernel has no autogroups or forbids the change.
bool set_session_niceness(const char* path, const char* niceness) {
    const core::FileDescriptor session(open(path, O_WRONLY | O_CLOEXEC));
    return !session || write(session.get(), niceness, 2) >= 0 || errno != EAGAIN;
}

// In the child, between fork and exec: system calls only.
[[noreturn]] void exec_confined(char* const* arguments, const char* directory, const Confinement& confinement,
                                const ChildLimits& limits, int output, int messages, pid_t parent) {
    // Fixed, so that the child inherits nothing: one thread, memory instead of temporary files, none of the rarely tested file
    // formats unless they are wanted.
    const char* const environment[] = {"VIPS_CONCURRENCY=1", "VIPS_DISC_THRESHOLD=1g", "TMPDIR=.",
                                       limits.every_format ? nullptr : "VIPS_BLOCK_UNTRUSTED=1", nullptr};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(126);  // the parent died before prctl()
    setsid();
    set_session_niceness("/proc/self/autogroup", "10");
    if (chdir(directory) != 0) _exit(126);
    const int null = open("/dev/null", O_RDWR);
    if (null < 0 || dup2(null, 0) < 0 || dup2(output, 1) < 0 || dup2(messages, 2) < 0) _exit(126);

    limit(RLIMIT_CPU, std::uint64_t(limits.cpu.count()));
    limit(RLIMIT_AS, limits.memory);
    limit(RLIMIT_FSIZE, limits.file);
    // 0 would not keep the kernel from passing the memory of a crashed process to a program (core(5)); 1 does, unless we may not have it.
    const rlimit no_core{1, 1};
    if (setrlimit(RLIMIT_CORE, &no_core) != 0) limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, 64);
    // The worker ignores SIGPIPE and blocks its stop signals; the child would inherit both.
    for (const int number : {SIGPIPE, SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGALRM}) (void)signal(number, SIG_DFL);
    sigset_t empty;
    sigemptyset(&empty);
    sigprocmask(SIG_SETMASK, &empty, nullptr);
    umask(077);
    if (!confinement.apply()) _exit(not_confined);
    if (close_range(3, ~0U, 0) != 0) _exit(126);
    execve(arguments[0], arguments, const_cast<char* const*>(environment));
    _exit(127);
}

// What the child writes to one of its descriptors.
class Written {
public:
    Written() {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe2");
        from_ = core::FileDescriptor(ends[0]);
        to_ = core::FileDescriptor(ends[1]);
        // Our end alone: the child waits until there is room, and its text has no gap.
        if (fcntl(from_.get(), F_SETFL, O_NONBLOCK) != 0) fail("fcntl");
    }
    int childs_end() const { return to_.get(); }
    void close_childs_end() { to_.reset(); }
    pollfd watched() const { return {is_open_ ? from_.get() : -1, POLLIN, 0}; }
    // Reads up to 64 KiB, as much as a pipe holds, without waiting. Keeps the first 4 KiB.
    void read_available() {
        char buffer[4096];
        for (int i = 0; i < 16; ++i) {
            const ssize_t got = read(from_.get(), buffer, sizeof buffer);
            if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
            if (got <= 0) {
                is_open_ = false;
                return;
            }
            if (text_.size() < 4096) text_.append(buffer, std::min(std::size_t(got), 4096 - text_.size()));
        }
    }
    std::string take() { return std::move(text_); }

private:
    core::FileDescriptor from_, to_;
    std::string text_;
    bool is_open_ = true;
};

// False when the deadline passed first.
bool await_end(pid_t child, int process, Written& output, Written& messages, std::chrono::steady_clock::time_point deadline) {
    auto equal = std::chrono::steady_clock::now() + low_priority_time;
    for (;;) {
        const auto now = std::chrono::steady_clock::now();
        if (now >= deadline) return false;
        if (now >= equal) {
            const auto session = "/proc/" + std::to_string(child) + "/autogroup";
            equal = set_session_niceness(session.c_str(), "00") ? deadline : now + std::chrono::milliseconds(200);
        }
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(std::min(deadline, equal) - now).count();
        pollfd watched[] = {{process, POLLIN, 0}, output.watched(), messages.watched()};
        const int ready = poll(watched, 3, int(std::min<long long>(left, 60'000)));
        if (ready < 0 && errno != EINTR) fail("poll");
        if (ready <= 0) continue;
        output.read_available();
        messages.read_available();
        if (watched[0].revents != 0) return true;
    }
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& arguments, const std::string& directory, const ChildLimits& limits) {
    std::vector<char*> pointers;
    for (const auto& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);
    Written output, messages;

    const Confinement confinement(directory);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) fail("fork");
    if (child == 0)
        exec_confined(pointers.data(), directory.c_str(), confinement, limits, output.childs_end(), messages.childs_end(),
                      parent);
    output.close_childs_end();
    messages.close_childs_end();

    ChildResult result;
    int status = 0;
    bool in_time = false;
    {
        const core::FileDescriptor process(int(syscall(SYS_pidfd_open, child, 0)));
        std::exception_ptr error;
        try {
            if (!process) fail("pidfd_open");
            in_time = await_end(child, process.get(), output, messages, limits.deadline);
        } catch (...) {
            error = std::current_exception();
        }
        if (!in_time) {
            kill(-child, SIGKILL);
            kill(child, SIGKILL);  // it may not have made its group yet
        }
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        if (error) std::rethrow_exception(error);
    }
    result.output = output.take();
    result.messages = messages.take();
    if (!in_time)
        result.end = ChildEnd::timed_out;
    else if (WIFSIGNALED(status))
        result.end = ChildEnd::killed;
    else if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        result.end = ChildEnd::succeeded;
    if (WIFEXITED(status) && WEXITSTATUS(status) == not_confined)
        throw std::system_error(ENOTSUP, std::generic_category(),
                                "pictures cannot be decoded, as the kernel does not confine a process");
    if (WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127) && result.messages.empty())
        throw std::system_error(ENOEXEC, std::generic_category(), "cannot run " + arguments[0] + " as a limited child");
    return result;
}

}  // namespace tradepost::files
