#include "files/probe.h"

#include <pwd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "files/child.h"
#include "files/files.h"
#include "files/intake.h"
#include "files/spool.h"

namespace tradepost::files {
namespace {

// The largest upload and the files that are made from it.
constexpr std::uint64_t needed_bytes = 128ull << 20, needed_files = 200;

std::string user_name() {
    const passwd* entry = getpwuid(geteuid());
    return entry ? entry->pw_name : std::to_string(geteuid());
}

// Empty when a file can be created in `directory`.
std::string why_not_written(const std::string& directory) try {
    const Store store(directory);
    const Work work(store.work());
    write_file(work.file("probe"), std::string(4096, 'x'));
    return {};
} catch (const std::system_error& error) {
    const auto code = error.code();
    if (code == std::errc::no_such_file_or_directory) return "it is not there: make it, for the user of the uploads pool";
    if (code == std::errc::no_space_on_device || code.value() == EDQUOT) return "no room is left: free some";
    return code.message() + ": it must be writable for " + user_name() + ", as whom the uploads pool runs";
}

bool spool_answers(const std::string& socket) try {
    ask_spool(socket, "0");
    return true;
} catch (const std::system_error& error) {
    return error.code() == std::errc::no_such_file_or_directory;
}

std::string incoming_fault(const std::string& directory, const std::string& socket) {
    const auto incoming = Store(directory).incoming();
    struct stat there {};
    if (stat(incoming.c_str(), &there) != 0)
        return incoming + ": " + std::generic_category().message(errno) + ": nginx makes it when it starts or reloads";
    if (access(incoming.c_str(), R_OK | W_OK | X_OK) != 0)
        return incoming + ": " + user_name() + " may not remove files from it: give it the group of the workers and mode 0770";
    if (geteuid() != 0 && there.st_uid != geteuid() && !spool_answers(socket))
        return incoming + ": it belongs to another user, and tradepost-spool does not answer at " + socket +
               ": start tradepost-spool@ of this instance";
    return {};
}

std::string confinement_fault() try {
    ChildLimits limits;
    limits.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    run_child({"/usr/bin/true"}, "/usr", limits);
    return {};
} catch (const std::system_error& error) {
    return error.what();
}

}  // namespace

std::string space_fault(const std::string& directory) {
    struct statvfs space {};
    if (statvfs(directory.c_str(), &space) != 0) return {};
    const auto free = std::uint64_t(space.f_bavail) * space.f_frsize;
    // Some file systems do not count files.
    if (free >= needed_bytes && (space.f_files == 0 || space.f_favail >= needed_files)) return {};
    return directory + ": " + std::to_string(free >> 20) + " MiB are free: make room for " + std::to_string(needed_bytes >> 20) +
           " MiB in some hundred files";
}

std::vector<std::string> store_faults(const std::string& directory, const std::string& spool_socket) {
    std::vector<std::string> faults;
    const auto add = [&](const std::string& fault) {
        if (!fault.empty()) faults.push_back(fault);
    };
    if (const auto why = why_not_written(directory); !why.empty()) {
        add(directory + ": " + why);
    } else {
        add(space_fault(directory));
        add(incoming_fault(directory, spool_socket));
    }
    add(confinement_fault());
    if (access(vips_program, X_OK) != 0) add(std::string(vips_program) + " cannot be run: install libvips-tools");
    return faults;
}

}  // namespace tradepost::files
