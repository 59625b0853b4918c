#include "support/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace tradepost::test {
namespace {

namespace fs = std::filesystem;

int status_of(int status) {
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// Everything that allocates happens before the fork: other threads may hold locks.
pid_t spawn(const std::vector<std::string>& arguments, const Environment& more, int in, int out, int err, bool group) {
    std::vector<char*> argv;
    for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    std::vector<std::string> variables;
    for (char** entry = environ; *entry; ++entry) {
        const std::string variable(*entry);
        if (!more.contains(variable.substr(0, variable.find('=')))) variables.push_back(variable);
    }
    for (const auto& [name, value] : more) variables.push_back(name + "=" + value);
    std::vector<char*> envp;
    for (auto& variable : variables) envp.push_back(variable.data());
    envp.push_back(nullptr);

    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child > 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (group) setpgid(0, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    std::signal(SIGPIPE, SIG_DFL);
    dup2(in, 0);
    dup2(out, 1);
    dup2(err, 2);
    execvpe(argv[0], argv.data(), envp.data());
    _exit(127);
}

struct Pipe {
    int ends[2];
    Pipe() {
        if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe failed");
    }
    ~Pipe() {
        close_end(0);
        close_end(1);
    }
    void close_end(int end) {
        if (ends[end] >= 0) close(ends[end]);
        ends[end] = -1;
    }
};

std::string state_line(pid_t process, const std::string& name) {
    std::istringstream lines(read_file("/proc/" + std::to_string(process) + "/status"));
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(name + ":")) return line.substr(line.find_first_not_of(" \t", name.size() + 1));
    return {};
}

}  // namespace

std::string read_file(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream content;
    content << in.rdbuf();  // where an iterator over the stream throws, this ends
    return content.str();
}

Finished run_command(const std::vector<std::string>& arguments, const std::string& input, const Environment& more) {
    Pipe in, out, err;
    std::signal(SIGPIPE, SIG_IGN);
    const pid_t child = spawn(arguments, more, in.ends[0], out.ends[1], err.ends[1], false);
    in.close_end(0);
    out.close_end(1);
    err.close_end(1);
    Finished finished;
    std::size_t written = 0;
    while (out.ends[0] >= 0 || err.ends[0] >= 0) {
        if (in.ends[1] >= 0 && written == input.size()) in.close_end(1);
        pollfd waiting[3] = {{in.ends[1], POLLOUT, 0}, {out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}};
        poll(waiting, 3, -1);
        if (waiting[0].revents) {
            const auto count = write(in.ends[1], input.data() + written, std::min<std::size_t>(input.size() - written, 4096));
            written = count < 0 ? input.size() : written + std::size_t(count);
        }
        const auto take = [&](int which, Pipe& pipe, std::string& into) {
            if (!waiting[which].revents) return;
            char piece[4096];
            const auto count = read(pipe.ends[0], piece, sizeof piece);
            if (count > 0)
                into.append(piece, std::size_t(count));
            else
                pipe.close_end(0);
        };
        take(1, out, finished.out);
        take(2, err, finished.err);
    }
    finished.code = wait_for(child);
    return finished;
}

pid_t start_command(const std::vector<std::string>& arguments, const std::string& output, const Environment& more) {
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (nothing < 0 || file < 0) throw std::runtime_error("cannot write " + output);
    const pid_t child = spawn(arguments, more, nothing, file, file, true);
    setpgid(child, child);  // whoever is first: the group exists when we return
    close(nothing);
    close(file);
    return child;
}

int wait_for(pid_t started) {
    int status = 0;
    while (waitpid(started, &status, 0) < 0 && errno == EINTR) {
    }
    return status_of(status);
}

std::vector<pid_t> children_of(pid_t parent) {
    const auto number = std::to_string(parent);
    std::istringstream list(read_file("/proc/" + number + "/task/" + number + "/children"));
    std::vector<pid_t> children;
    for (pid_t child; list >> child;)
        if (alive(child)) children.push_back(child);
    return children;
}

bool alive(pid_t process) {
    const auto state = state_line(process, "State");
    return !state.empty() && state[0] != 'Z' && state[0] != 'X';
}

bool has_address_sanitizer(pid_t process) {
    return read_file("/proc/" + std::to_string(process) + "/maps").find("/libasan.so") != std::string::npos;
}

bool signal_pending(pid_t process, int signal) {
    const auto mask = state_line(process, "ShdPnd");
    return !mask.empty() && (std::stoull(mask, nullptr, 16) >> (signal - 1) & 1);
}

std::vector<std::string> processes_with(const std::string& text) {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
        const auto name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos || name == std::to_string(getpid())) continue;
        auto line = read_file(entry.path().string() + "/cmdline");
        std::replace(line.begin(), line.end(), '\0', ' ');
        if (line.find(text) != std::string::npos) found.push_back(name + " " + line);
    }
    return found;
}

std::chrono::seconds patient(std::chrono::seconds limit) {
    static const int factor = [] {
        const char* const text = std::getenv("TRADEPOST_TEST_SLOW");
        return text && *text ? std::max(1, std::atoi(text)) : 1;
    }();
    return limit * factor;
}

bool await(const std::function<bool()>& condition, std::chrono::seconds limit) {
    const auto until = std::chrono::steady_clock::now() + patient(limit);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > until) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
}

Paused::Paused(std::vector<pid_t> processes) : processes_(std::move(processes)) {
    for (const auto process : processes_) kill(process, SIGSTOP);
    for (const auto process : processes_) await([&] { return state_line(process, "State").starts_with("T") || !alive(process); });
}

Paused::~Paused() {
    for (const auto process : processes_) kill(process, SIGCONT);
}

}  // namespace tradepost::test
