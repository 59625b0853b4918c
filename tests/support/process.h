// Other processes: run, watch, hold and end them, each by its number.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tradepost::test {

struct Finished {
    int code = -1;  // exit status; 128 + number of the signal that ended it
    std::string out, err;
};

using Environment = std::map<std::string, std::string>;  // beside the one we have

// Empty when there is no such file, and when a process ends while one of its files in /proc is read.
std::string read_file(const std::filesystem::path& path);

// Runs a program to its end. What it started in the background must not keep its outputs.
Finished run_command(const std::vector<std::string>& arguments, const std::string& input = "", const Environment& more = {});

// Starts a program as leader of a process group, its outputs appended to a file. It is killed if this process dies.
pid_t start_command(const std::vector<std::string>& arguments, const std::string& output, const Environment& more = {});

// Waits for a started program's end; its exit status as in Finished.
int wait_for(pid_t started);

std::vector<pid_t> children_of(pid_t parent);
bool alive(pid_t process);  // a zombie is not
bool signal_pending(pid_t process, int signal);
bool has_address_sanitizer(pid_t process);  // whose allocator keeps what is freed
// Processes that have `text` in their command line, as "PID command line".
std::vector<std::string> processes_with(const std::string& text);

// An upper limit of waiting, times TRADEPOST_TEST_SLOW, which is 1 unless it is set.
std::chrono::seconds patient(std::chrono::seconds limit);

// Whether the condition came true within the time, times TRADEPOST_TEST_SLOW.
bool await(const std::function<bool()>& condition, std::chrono::seconds limit = std::chrono::seconds(30));

// Processes that stand still until this object ends.
class Paused {
public:
    explicit Paused(std::vector<pid_t> processes);  // returns once they do
    ~Paused();
    Paused(const Paused&) = delete;
    Paused& operator=(const Paused&) = delete;

private:
    std::vector<pid_t> processes_;
};

}  // namespace tradepost::test
