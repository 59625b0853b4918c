// What Store removes: files that crashes and deletions left.
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>

#include "core/crypto.h"
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

constexpr std::size_t tag_bytes = 8;

// A name that nginx does not serve and no request asks for: a dot, a tag of its remover, and the file's name.
std::string hidden(const std::string& tag, const std::string& name) {
    return "." + tag + "." + name;
}

// The name that the hidden file had; empty when this is none.
std::string shown(const std::string& name) {
    const auto own = 2 * tag_bytes + 2;
    if (!name.starts_with('.') || name.size() <= own || name[own - 1] != '.' ||
        !core::is_hex_of(name.substr(1, own - 2), tag_bytes))
        return {};
    return name.substr(own);
}

// Files that stayed hidden because a process died get their names back.
void show_hidden(const std::string& folder, core::Time before) {
    for (const auto& name : names(folder)) {
        struct stat status {};
        const auto path = folder + "/" + name;
        if (shown(name).empty() || lstat(path.c_str(), &status) != 0) continue;
        std::error_code gone;
        if (core::Time(std::chrono::seconds(status.st_ctim.tv_sec)) < before) fs::rename(path, folder + "/" + shown(name), gone);
    }
}

}  // namespace

// Returns the number of removed files. Files that are not older than `before` stay.
std::size_t Store::remove_files(const std::string& folder, const NamesByHash& files, std::optional<core::Time> before,
                                const FindReferenced& find_referenced) {
    // Of its own, so that no other remover takes a file for the one that it has hidden.
    const auto tag = core::to_hex(core::random_bytes(tag_bytes));
    std::vector<std::string> hashes;
    NamesByHash taken;
    for (const auto& [hash, all] : files) {
        hashes.push_back(hash);
        for (const auto& name : all)
            if (std::rename((folder + "/" + name).c_str(), (folder + "/" + hidden(tag, name)).c_str()) == 0)
                taken[hash].push_back(name);
    }
    std::size_t removed = 0;
    std::error_code failed;
    const auto finish = [&](const auto& stays) {
        for (const auto& [hash, all] : taken)
            for (const auto& name : all) {
                const auto path = folder + "/" + hidden(tag, name);
                std::error_code error;
                if (stays(hash) || (before && !is_old(path, *before)))
                    fs::rename(path, folder + "/" + name, error);
                else
                    removed += fs::remove(path, error);
                if (error) failed = error;
            }
    };
    std::set<std::string> needed;
    try {
        needed = find_referenced(hashes);
    } catch (...) {
        finish([](const auto&) { return true; });
        throw;
    }
    finish([&](const auto& hash) { return needed.contains(hash); });
    if (failed) throw std::system_error(failed, folder);
    return removed;
}

void Store::remove(std::string_view content_hash, const FindReferenced& find_referenced) {
    // Before it is hidden too, so that a file that another row refers to is served all the time.
    if (!find_referenced({std::string(content_hash)}).empty()) return;
    const auto folder = folder_path(content_hash);
    NamesByHash files;
    for (const auto& name : names(folder))
        if (name.starts_with(core::to_hex(content_hash) + ".")) files[std::string(content_hash)].push_back(name);
    remove_files(folder, files, {}, find_referenced);
}

std::size_t Store::sweep(core::Time before, const FindReferenced& find_referenced) {
    std::size_t removed = remove_old(directory_ + "/work", before, [](const std::string& name) { return name.size() == 6; });
    removed += remove_old(incoming(), before, [](const std::string& name) {
        return name.size() == 10 && name.find_first_not_of("0123456789") == std::string::npos;
    });
    for (const auto& folder_name : names(directory_)) {
        if (!core::is_hex_of(folder_name, 1)) continue;
        const auto folder = directory_ + "/" + folder_name;
        show_hidden(folder, before);
        NamesByHash old;
        for (const auto& name : names(folder)) {
            const auto stem = name.substr(0, name.find('.'));
            const auto hash = core::from_hex(stem);
            if (hash && core::is_hex_of(stem, 32) && is_old(folder + "/" + name, before)) old[*hash].push_back(name);
        }
        while (!old.empty()) {
            NamesByHash some;
            std::vector<std::string> hashes;
            while (!old.empty() && some.size() < asked_at_once) {
                hashes.push_back(old.begin()->first);
                some.insert(old.extract(old.begin()));
            }
            for (const auto& hash : find_referenced(hashes)) some.erase(hash);
            if (!some.empty()) removed += remove_files(folder, some, before, find_referenced);
        }
    }
    return removed;
}

}  // namespace tradepost::files
