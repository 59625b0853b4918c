// What the tests of both counter stores share.
#pragma once
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "core/clock.h"
#include "limits/limiter.h"

namespace tradepost::limits::test {

inline const core::Time start{std::chrono::seconds(1'800'000'000)};
inline constexpr core::Rate per_minute(std::uint32_t requests) {
    return {requests, std::chrono::minutes(1)};
}
inline constexpr core::Rate sign_in{8, std::chrono::minutes(15)};
// How long a limiter waits for another process that counts: a slow machine does not reach it.
inline constexpr std::chrono::seconds patience{60};

struct TemporaryFolder {
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "tradepost-limits-XXXXXX").string();
        if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
        path = pattern;
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path); }
    std::string operator/(const std::string& name) const { return (path / name).string(); }
    std::filesystem::path path;
};

// Collects standard error, where the log goes, while it lives.
class CapturedLog {
public:
    CapturedLog() : saved_(dup(STDERR_FILENO)) {
        const int file = open(path().c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        dup2(file, STDERR_FILENO);
        close(file);
    }
    ~CapturedLog() {
        dup2(saved_, STDERR_FILENO);
        close(saved_);
    }
    int lines_with(const std::string& word) const {
        std::ifstream file(path());
        int found = 0;
        for (std::string line; std::getline(file, line);) found += line.find(word) != std::string::npos;
        return found;
    }

private:
    std::string path() const { return folder_ / "log"; }
    TemporaryFolder folder_;
    int saved_;
};

// A child process that runs `work` and ends with its result.
template <class Work>
pid_t in_child(Work work) {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is interrupted leaves nothing running
    int code = 99;
    try {
        code = work();
    } catch (...) {
    }
    _exit(code);
}

inline int exit_code(pid_t pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// A barrier between processes: all that wait pass once the object's maker opens it.
class Gate {
public:
    Gate() {
        if (pipe2(ends_, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    }
    ~Gate() {
        close(ends_[0]);
        if (ends_[1] >= 0) close(ends_[1]);
    }
    void wait() {  // in a child
        close(ends_[1]);
        ends_[1] = -1;
        char byte;
        while (read(ends_[0], &byte, 1) > 0) {
        }
    }
    void open_to_all() {
        close(ends_[1]);
        ends_[1] = -1;
    }

private:
    int ends_[2];
};

}  // namespace tradepost::limits::test
