#include "files/store.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include <filesystem>
#include <memory>

#include "core/crypto.h"
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

}  // namespace tradepost::files
