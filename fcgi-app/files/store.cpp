#include "files/store.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "core/crypto.h"
#include "core/hex.h"
#include "files/files.h"

namespace tradepost::files {

namespace {

namespace fs = std::filesystem;

constexpr mode_t file_mode = 0640;  // nginx may be of another user and in our group

// False when it exists already.
bool create_folder(const std::string& path) {
    if (mkdir(path.c_str(), 0700) == 0) return true;
    if (errno != EEXIST) fail(path);
    return false;
}

// A folder whose files nginx serves: it gets the mode of the one that the operator created, whatever the umask.
void create_served_folder(const std::string& path, const std::string& like) {
    struct stat model {};
    struct stat own {};
    if (stat(like.c_str(), &model) != 0) fail(like);
    const bool made = create_folder(path);
    if (stat(path.c_str(), &own) != 0) fail(path);
    // The folder has another mode when the process that made it was killed before chmod().
    if (!made && (own.st_mode & 0777) == (model.st_mode & 0777)) return;
    // One of another user's stays as it is.
    if (chmod(path.c_str(), model.st_mode & 0777) != 0 && (made || errno != EPERM)) fail(path);
    sync(like, O_RDONLY | O_DIRECTORY);
}

}  // namespace

Work::Work(const std::string& directory) : path_(directory + "/XXXXXX") {
    if (!mkdtemp(path_.data())) fail(directory);
}

Work::~Work() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

std::string Store::folder_path(std::string_view content_hash) const {
    return directory_ + "/" + core::to_hex(content_hash.substr(0, 1));
}

std::string Store::path(std::string_view url) const {
    constexpr std::string_view prefix = "/uploads";
    return directory_ + std::string(url.substr(prefix.size()));
}

std::string Store::work() const {
    create_folder(directory_ + "/work");
    return directory_ + "/work";
}

core::FileDescriptor Store::temporary_file() const {
    const auto folder = work();
    core::FileDescriptor file(open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600));
    if (file || errno != EOPNOTSUPP)
        return file ? std::move(file) : throw std::system_error(errno, std::generic_category(), folder);
    // NFS has no files without a name.
    auto name = folder + "/XXXXXX";
    file = core::FileDescriptor(mkostemp(name.data(), O_CLOEXEC));
    if (!file || unlink(name.c_str()) != 0) fail(name);
    return file;
}

std::uint64_t Store::spooled_bytes() const {
    std::uint64_t bytes = 0;
    std::error_code error;
    for (fs::directory_iterator entry(incoming(), error), end; !error && entry != end; entry.increment(error)) {
        struct stat status {};
        // nginx removes files meanwhile.
        if (lstat(entry->path().c_str(), &status) == 0) bytes += std::uint64_t(status.st_size);
    }
    // nginx makes the folder when it starts.
    if (error && error != std::errc::no_such_file_or_directory) throw std::system_error(error, incoming());
    return bytes;
}

void Store::publish(const std::string& from, std::string_view url) {
    const auto to = path(url);
    const auto folder = fs::path(to).parent_path().string();
    create_served_folder(folder, directory_);
    for (int attempt = 1; link(from.c_str(), to.c_str()) != 0; ++attempt) {
        if (errno != EEXIST || attempt == 100) fail("link to " + to);
        if (utimensat(AT_FDCWD, to.c_str(), nullptr, 0) == 0) break;
        if (errno == ENOENT) continue;  // it was removed at this moment
        // It is another user's, as the first version left them: the same bytes take its place.
        const auto own = from + ".own";
        if ((errno != EACCES && errno != EPERM) || link(from.c_str(), own.c_str()) != 0 || rename(own.c_str(), to.c_str()) != 0)
            fail(to);
        break;
    }
    sync(folder, O_RDONLY | O_DIRECTORY);
}

void Store::take_over(const std::string& from, std::string_view url) {
    const auto to = path(url);
    const auto folder = fs::path(to).parent_path().string();
    create_served_folder(folder, directory_);
    give(folder);
    give(from);
    if (chmod(from.c_str(), file_mode) != 0 || rename(from.c_str(), to.c_str()) != 0) fail(to);
}

void Store::give(const std::string& path) const {
    struct stat owner {};
    if (geteuid() != 0) return;
    if (stat(directory_.c_str(), &owner) != 0) fail(directory_);
    if (lchown(path.c_str(), owner.st_uid, owner.st_gid) != 0) fail(path);
}

void finish_file(const std::string& path) {
    const auto file = open_file(path, O_RDONLY);
    if (fchmod(file.get(), file_mode) != 0) fail("chmod " + path);
    if (fsync(file.get()) != 0) fail("fsync " + path);
}

void write_file(const std::string& path, std::string_view bytes) {
    {
        const auto file = open_file(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
        while (!bytes.empty()) {
            const ssize_t written = write(file.get(), bytes.data(), bytes.size());
            if (written < 0 && errno != EINTR) fail("write " + path);
            if (written > 0) bytes.remove_prefix(std::size_t(written));
        }
    }
    finish_file(path);
}

void copy_file(const core::FileDescriptor& from, std::uint64_t bytes, const std::string& to) {
    const auto file = open_file(to, O_WRONLY | O_CREAT | O_EXCL, 0600);
    off_t at = 0;
    while (std::uint64_t(at) < bytes) {
        const ssize_t copied = sendfile(file.get(), from.get(), &at, bytes - std::uint64_t(at));
        if (copied < 0 && errno != EINTR) fail("write " + to);
        if (copied == 0) return;
    }
}

std::string hash_file(const std::string& path) {
    const auto file = open_file(path, O_RDONLY);
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> digest(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    const auto buffer = std::make_unique<char[]>(1 << 16);
    EVP_DigestInit_ex(digest.get(), EVP_sha256(), nullptr);
    for (;;) {
        const ssize_t got = read(file.get(), buffer.get(), 1 << 16);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail("read " + path);
        if (got == 0) break;
        EVP_DigestUpdate(digest.get(), buffer.get(), std::size_t(got));
    }
    std::string hash(32, '\0');
    EVP_DigestFinal_ex(digest.get(), reinterpret_cast<unsigned char*>(hash.data()), nullptr);
    return hash;
}

std::uint64_t file_size(const core::FileDescriptor& file) {
    struct stat status {};
    if (fstat(file.get(), &status) != 0) fail("fstat");
    return std::uint64_t(status.st_size);
}

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
