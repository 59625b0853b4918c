#include "support/fault_injection.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "core/crypto.h"
#include "support/started_stack.h"

namespace tradepost::test {
namespace {

namespace fs = std::filesystem;

bool as_root() {
    return geteuid() == 0;
}

// Short, for sockets, and below a folder that everybody can enter.
const std::string& folder() {
    static const std::string one = "/tmp/tradepost-faults-" + core::to_hex(core::random_bytes(4));
    return one;
}

StartedStack& started() {
    static const std::vector<std::string> alone{"unshare", "--mount", "--propagation", "private", "--"};
    static StartedStack one(folder(), "log.slow_ms = 1\nlog.level = \"warning\"\nhttp.share_wait_s = 2",
                            as_root() ? alone : std::vector<std::string>());
    return one;
}

}  // namespace

Stack& fault_injection_stack() {
    auto& one = started().get();
    for (const auto* name : {"", "/run"}) fs::permissions(folder() + name, fs::perms(0711));
    return one;
}

int stop_fault_injection_stack() {
    const int code = started().stop();
    if (code < 0) return code;
    for (const auto* ending : {"", ".build", ".out"}) fs::remove_all(folder() + ending);
    return code;
}

std::string inside(const std::vector<std::string>& command) {
    std::vector<std::string> all;
    if (as_root())
        all = {"nsenter", "--target", std::to_string(fault_injection_stack().service("runsvdir")), "--mount", "--wd=.", "--"};
    all.insert(all.end(), command.begin(), command.end());
    const auto done = run_command(all);
    if (done.code != 0) throw std::runtime_error(command.front() + ": " + done.err);
    return done.out;
}

void reload_nginx() {
    const pid_t master = std::stoi(read_file(fault_injection_stack().state() + "/run/nginx.pid"));
    const auto old = children_of(master);
    kill(master, SIGHUP);
    const bool done = await([&] {
        const auto now = children_of(master);
        return !now.empty() && std::none_of(old.begin(), old.end(), alive);
    });
    if (!done) throw std::runtime_error("nginx does not reload; see " + fault_injection_stack().state() + "/log/nginx-error.log");
}

Changed::Changed(const std::string& file) : path_(fs::path(fault_injection_stack().state()) / file), before_(read_file(path_)) {}
Changed::~Changed() {
    restore();
}

NginxChanged::~NginxChanged() {
    restore();
    reload_nginx();
}

void Changed::replace(const std::string& from, const std::string& to) {
    auto text = read_file(path_);
    const auto at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error(path_.string() + " does not hold " + from);
    write(text.replace(at, from.size(), to));
}

void Changed::append(const std::string& text) {
    write(read_file(path_) + text);
}

void Changed::write(const std::string& text) const {
    std::ofstream(path_, std::ios::binary) << text;
}

Mounted::Mounted(const std::vector<std::string>& arguments) : path_(arguments.back()) {
    std::vector<std::string> command{"mount"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    inside(command);
}
Mounted::~Mounted() {
    try {
        inside({"umount", "--lazy", path_});
    } catch (const std::exception&) {
        // The stack has ended, and this with it.
    }
}

}  // namespace tradepost::test
