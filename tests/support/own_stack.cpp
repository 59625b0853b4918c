// The second stack of the end-to-end tests, for what needs other settings or ends it.
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "support/stack.h"

namespace tradepost::test {
namespace {

namespace fs = std::filesystem;

pid_t running = 0;  // make

std::string folder() {
    return fs::path(stack().state()).parent_path().string() + "/e2e-own";
}

// A build folder of its own: make notes there which flags it was called with.
std::string programs() {
    const fs::path links = folder() + ".build";
    fs::create_directories(links);
    for (const auto* name : {"tradepost-worker", "tradepostctl"}) {
        fs::remove(links / name);
        fs::create_symlink(fs::path(program_folder()) / name, links / name);
    }
    return links.string();
}

Environment surroundings() {
    return {{"MAKEFLAGS", ""},
            {"MAKELEVEL", ""},
            {"DEMO", "off"},
            {"SETTINGS",
             "rate_limits.public = \"5/4s\"\nrate_limits.auth = \"3/4s\"\nrate_limits.write = \"1000000/1m\"\nhttp.deadline_s = 3\nhttp.trusted_proxies = [\"" +
                 std::string(trusted_proxy) + "\"]"}};
}

}  // namespace

std::vector<std::string> own_stack_variables() {
    // MAKE: nothing is to be compiled.
    return {"STATE=" + folder(), "PORT=auto", "BUILD=" + programs(), "MAKE=:"};
}

Stack& own_stack() {
    static Stack one(folder());
    if (running && alive(running)) return one;
    if (running) wait_for(running);
    running = 0;
    fs::create_directories(folder());
    const std::string output = folder() + ".out";
    fs::remove(output);
    std::vector<std::string> command{"make", "--no-print-directory", "run"};
    for (const auto& variable : own_stack_variables()) command.push_back(variable);
    running = start_command(command, output, surroundings());
    // Only then does it no longer ask whether the API answers.
    const auto announced = [&output] {
        std::ifstream in(output);
        return std::string(std::istreambuf_iterator<char>(in), {}).find("Ctrl-C stops it") != std::string::npos;
    };
    const bool up = await([&] { return !alive(running) || announced(); }, std::chrono::seconds(120));
    if (!up || !alive(running)) throw std::runtime_error("make run did not come up; see " + output);
    return one;
}

int stop_own_stack() {
    if (!running) return -1;
    kill(-running, SIGINT);
    const int code = wait_for(running);
    running = 0;
    return code;
}

}  // namespace tradepost::test
