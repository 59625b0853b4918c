// The store of uploaded files, named by their content, in a folder that nginx serves: <directory>/<hh>/<hash>.<ext>, where <hh> is how the hash begins.
// Beside them `work`, for files in preparation, and `incoming`, where nginx puts bodies; all on one file system.
#pragma once
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/file_descriptor.h"
#include "core/time.h"

namespace tradepost::files {

// The folder of one upload in preparation, removed with its content. sweep() removes those that a crash left.
class Work {
public:
    explicit Work(const std::string& directory);  // throws std::system_error
    ~Work();
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    const std::string& path() const { return path_; }
    std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

private:
    std::string path_;
};

// A shared lock on one folder <hh>: no file in it is removed. To be held from before a file is looked for or published until a
// committed row refers to it.
class FolderLock {
public:
    FolderLock() = default;

private:
    friend class Store;
    explicit FolderLock(core::FileDescriptor folder) : folder_(std::move(folder)) {}
    core::FileDescriptor folder_;
};

class Store {
public:
    // Returns those of these hashes (32 bytes each) that a row refers to. Called while no new reference can be made.
    using FindReferenced = std::function<std::set<std::string>(const std::vector<std::string>& hashes)>;

    // Touches nothing yet. Every call below throws std::system_error, with ENOSPC or EDQUOT when the disk is full.
    explicit Store(std::string directory) : directory_(std::move(directory)) {}

    std::string incoming() const { return directory_ + "/incoming"; }
    std::string work() const;             // created when it is missing
    std::uint64_t spooled_bytes() const;  // the size of all files in `incoming`

    // `url` comes from uploads::upload_url() or thumbnail_url().
    std::string path(std::string_view url) const;

    // The lock on the folder of this hash.
    FolderLock lock_folder(std::string_view content_hash);

    // Moves the file at `from`, which is complete on disk, to its place, and returns when the new name is on disk too. A file that
    // is there already stays. `lock` is on the folder of its hash.
    void publish(const FolderLock& lock, const std::string& from, std::string_view url);

    // Removes the files of one hash unless a row refers to it or its folder is locked.
    void remove(std::string_view content_hash, const FindReferenced& find_referenced);

    // Removes files that no row refers to and the remains in `work` and `incoming`, all last changed before `before`. Returns their
    // number.
    std::size_t sweep(core::Time before, const FindReferenced& find_referenced);

private:
    std::string folder_path(std::string_view content_hash) const;
    std::string directory_;
};

// Creates a file that nginx's group may read; it is complete on disk on return.
void write_file(const std::string& path, std::string_view bytes);
void finish_file(const std::string& path);  // the same for a file that was written already

// Copies the first `bytes` of an open file to a new one that only we may read and write. Fewer are no error.
void copy_file(const core::FileDescriptor& from, std::uint64_t bytes, const std::string& to);

// SHA-256 of a file, 32 bytes, in little memory.
std::string hash_file(const std::string& path);
std::uint64_t file_size(const core::FileDescriptor& file);

}  // namespace tradepost::files
