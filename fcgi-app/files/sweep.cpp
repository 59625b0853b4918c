// Store::sweep(): removes the files that crashes and deletions left.
#include <sys/file.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>

#include "core/hex.h"
#include "files/files.h"
#include "files/store.h"

namespace tradepost::files {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t asked_at_once = 500;

bool is_old(const fs::path& path, core::Time before) {
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0) return false;
    return core::Time(std::chrono::seconds(status.st_mtim.tv_sec)) < before;
}

// The names alone, so that the whole folder is read before any of its files is removed.
std::vector<std::string> names(const std::string& directory) {
    std::vector<std::string> all;
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(directory, missing)) all.push_back(entry.path().filename().string());
    if (missing && missing != std::errc::no_such_file_or_directory) throw std::system_error(missing, directory);
    return all;
}

std::size_t remove_old(const std::string& directory, core::Time before, bool (*is_ours)(const std::string&)) {
    std::size_t removed = 0;
    for (const auto& name : names(directory))
        if (is_ours(name) && is_old(directory + "/" + name, before)) removed += fs::remove_all(directory + "/" + name) > 0;
    return removed;
}

}  // namespace

std::size_t Store::sweep(core::Time before, const FindReferenced& find_referenced) {
    std::size_t removed = remove_old(directory_ + "/work", before, [](const std::string& name) { return name.size() == 6; });
    removed += remove_old(incoming(), before, [](const std::string& name) {
        return name.size() == 10 && name.find_first_not_of("0123456789") == std::string::npos;
    });
    for (const auto& folder_name : names(directory_)) {
        if (!core::is_hex_of(folder_name, 1)) continue;
        const auto folder = directory_ + "/" + folder_name;
        std::map<std::string, std::vector<std::string>> old;  // by hash
        for (const auto& name : names(folder)) {
            const auto stem = name.substr(0, name.find('.'));
            const auto hash = core::from_hex(stem);
            if (hash && core::is_hex_of(stem, 32) && is_old(folder + "/" + name, before)) old[*hash].push_back(name);
        }
        for (auto next = old.begin(); next != old.end();) {
            // A request that is about to refer to one of them holds a FolderLock until it commits; new ones wait for us.
            const auto locked = open_file(folder, O_RDONLY | O_DIRECTORY);
            if (flock(locked.get(), LOCK_EX | LOCK_NB) != 0) break;
            std::vector<std::string> hashes;
            const auto first = next;
            for (; next != old.end() && hashes.size() < asked_at_once; ++next) hashes.push_back(next->first);
            const auto needed = find_referenced(hashes);
            for (auto file = first; file != next; ++file) {
                if (needed.contains(file->first)) continue;
                for (const auto& name : file->second) removed += fs::remove(folder + "/" + name);
            }
        }
    }
    return removed;
}

}  // namespace tradepost::files
