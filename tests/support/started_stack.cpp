#include "support/started_stack.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "support/patience.h"

namespace tradepost::test {
namespace {

namespace fs = std::filesystem;

// A build folder of its own: make notes there which flags it was called with.
std::string programs(const std::string& folder) {
    const fs::path links = folder + ".build";
    fs::create_directories(links);
    for (const auto* name : {"tradepost-worker", "tradepost-deliver", "tradepostctl"}) {
        fs::remove(links / name);
        fs::create_symlink(fs::path(program_folder()) / name, links / name);
    }
    return links.string();
}

}  // namespace

StartedStack::StartedStack(std::string folder, std::string settings, std::vector<std::string> prefix)
    : folder_(std::move(folder)), settings_(std::move(settings)), prefix_(std::move(prefix)), stack_(folder_) {}

std::vector<std::string> StartedStack::variables() const {
    // MAKE: nothing is to be compiled.
    return {"STATE=" + folder_, "PORT=auto", "BUILD=" + programs(folder_), "MAKE=:"};
}

Stack& StartedStack::get() {
    if (running_ && alive(running_)) return stack_;
    if (running_) wait_for(running_);
    running_ = 0;
    fs::create_directories(folder_);
    const std::string output = folder_ + ".out";
    fs::remove(output);
    auto command = prefix_;
    command.insert(command.end(), {"make", "--no-print-directory", "run"});
    for (const auto& variable : variables()) command.push_back(variable);
    running_ = start_command(
        command, output, {{"MAKEFLAGS", ""}, {"MAKELEVEL", ""}, {"DEMO", "off"}, {"SETTINGS", patient_settings() + settings_}});
    // Only then does it no longer ask whether the API answers.
    const auto announced = [&output] {
        std::ifstream in(output);
        return std::string(std::istreambuf_iterator<char>(in), {}).find("Ctrl-C stops it") != std::string::npos;
    };
    const bool up = await([&] { return !alive(running_) || announced(); }, std::chrono::seconds(300));
    if (!up || !alive(running_)) throw std::runtime_error("make run did not come up; see " + output);
    return stack_;
}

int StartedStack::stop() {
    if (!running_) return -1;
    kill(-running_, SIGINT);
    const int code = wait_for(running_);
    running_ = 0;
    return code;
}

}  // namespace tradepost::test
