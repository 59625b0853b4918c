#include "ctl/everything/folder.h"

#include <linux/fs.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "core/hex.h"
#include "ctl/context.h"
#include "ctl/everything/manifest.h"
#include "ctl/everything/tables.h"
#include "files/files.h"
#include "files/store.h"

namespace tradepost::ctl::everything {
namespace {

namespace fs = std::filesystem;

std::string without_slash(std::string path) {
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    return path;
}

bool exists(const std::string& path) {
    struct stat status {};
    return lstat(path.c_str(), &status) == 0;
}

// Whether an export makes a file of this name.
bool is_ours(const fs::path& entry) {
    const auto name = entry.filename().string();
    const auto tables = carried_tables();
    return name == manifest_file || name == upload_sums_file || name == "uploads" ||
           std::any_of(tables.begin(), tables.end(),
                       [&](const auto& table) { return name == std::string(table.name) + ".jsonl"; });
}

}  // namespace

NewFolder::NewFolder(const std::string& path) : path_(without_slash(path)), part_(path_ + ".part") {
    const Failure taken(path_ + " is there already: name a folder that does not exist");
    const Failure busy("another export is being written to " + path_);
    if (exists(path_)) throw taken;
    if (mkdir(part_.c_str(), 0700) != 0 && errno != EEXIST) throw Failure(part_ + " cannot be created: " + std::strerror(errno));
    folder_ = files::open_file(part_, O_RDONLY | O_DIRECTORY);
    if (flock(folder_.get(), LOCK_EX | LOCK_NB) != 0) throw busy;
    struct stat locked {};
    struct stat named {};
    if (fstat(folder_.get(), &locked) != 0) files::fail(part_);
    // The other process finished between the two calls.
    if (stat(part_.c_str(), &named) != 0 || locked.st_ino != named.st_ino || exists(path_)) throw busy;
    for (const auto& entry : fs::directory_iterator(part_))
        if (!is_ours(entry)) throw Failure(part_ + " is there and no export: remove it, or name another folder");
    for (const auto& entry : fs::directory_iterator(part_)) fs::remove_all(entry);
    if (fchmod(folder_.get(), 0700) != 0) files::fail(part_);
}

NewFolder::~NewFolder() {
    std::error_code ignored;
    if (!is_finished_) fs::remove_all(part_, ignored);
}

void NewFolder::finish() {
    if (syncfs(folder_.get()) != 0) throw Failure(part_ + " cannot be written: " + std::strerror(errno));
    int failed = renameat2(AT_FDCWD, part_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE);
    // NFS does not know the flag.
    if (failed != 0 && (errno == EINVAL || errno == ENOSYS)) failed = exists(path_) ? -1 : rename(part_.c_str(), path_.c_str());
    if (failed != 0) throw Failure(path_ + " is there already: name a folder that does not exist");
    is_finished_ = true;
    const auto parent = fs::absolute(path_).parent_path().string();
    files::sync(parent, O_RDONLY | O_DIRECTORY);
}

NewFile::NewFile(const std::string& path) : path_(path), file_(nullptr) {
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 || !(file_ = fdopen(fd, "w"))) fail();
}

NewFile::~NewFile() {
    if (file_) (void)std::fclose(file_);
}

void NewFile::put(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
}

void NewFile::finish() {
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail();
}

void NewFile::fail() const {
    throw Failure(path_ + " cannot be written: " + std::strerror(errno));
}

bool link_or_copy(const std::string& from, const std::string& to) {
    if (link(from.c_str(), to.c_str()) == 0 || errno == EEXIST) return true;
    return copy(from, to);
}

bool copy(const std::string& from, const std::string& to) {
    if (exists(to)) return true;
    const core::FileDescriptor source(open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!source && errno == ENOENT) return false;
    if (!source) files::fail(from);
    {
        const auto target = files::open_file(to, O_WRONLY | O_CREAT | O_EXCL, 0600);
        if (ioctl(target.get(), FICLONE, source.get()) == 0) return true;
    }
    if (unlink(to.c_str()) != 0) files::fail(to);
    files::copy_file(source, files::file_size(source), to);
    return true;
}

bool is_upload_path(std::string_view path) {
    constexpr std::string_view head = "uploads/";
    constexpr std::size_t folder = 2, hash = 32;
    if (!path.starts_with(head)) return false;
    path.remove_prefix(head.size());
    if (path.size() < folder + 1 + 2 * hash || path[folder] != '/') return false;
    const auto name = path.substr(folder + 1);
    return core::is_hex_of(name.substr(0, 2 * hash), hash) && name.starts_with(path.substr(0, folder)) &&
           name.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz.") == std::string_view::npos;
}

}  // namespace tradepost::ctl::everything
