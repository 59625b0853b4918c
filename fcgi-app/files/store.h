// The store of uploaded files, named by their content, in a folder that nginx serves: <directory>/<hh>/<hash>.<ext>, where <hh> is how the hash begins.
// Beside them `work`, for files in preparation, and `incoming`, where nginx puts bodies; all on one file system, which several hosts may
// share (NFS): names are made by link() and rename() within one file system, and nothing is locked.
//
// A request publishes a file, commits the row that refers to it, and publishes the file again. A process that removes a file first gives it a
// name that is not served, and only then asks whether a row refers to it: if so, the file gets its name back. So a file whose row was
// committed before the question keeps its name, and one whose row is committed later gets it from the request.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
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

class Store {
public:
    // Returns those of these hashes (32 bytes each) that a row refers to, of all that were committed before the call.
    using FindReferenced = std::function<std::set<std::string>(const std::vector<std::string>& hashes)>;

    // Touches nothing yet. Every call below throws std::system_error, with ENOSPC or EDQUOT when the disk is full.
    explicit Store(std::string directory) : directory_(std::move(directory)) {}

    std::string incoming() const { return directory_ + "/incoming"; }
    std::string work() const;                     // created when it is missing
    core::FileDescriptor temporary_file() const;  // in `work`, without a name: it is gone when it is closed
    std::uint64_t spooled_bytes() const;          // the size of all files in `incoming`

    // `url` comes from uploads::upload_url() or thumbnail_url().
    std::string path(std::string_view url) const;

    // Gives the file at `from`, which is complete on disk and stays, the name of its content, and returns when that is on disk too. A file
    // that has it already stays and becomes young. To be called before the row that refers to it is committed, and after.
    void publish(const std::string& from, std::string_view url);

    // Gives a file of work() the name of its content, in place of one that has it, and makes it as one that a worker has stored. Nothing is
    // on disk before the caller has called syncfs().
    void take_over(const std::string& from, std::string_view url);

    // Gives a file or folder that root has made to the owner of the store.
    void give(const std::string& path) const;

    // Removes the files of one hash unless a row refers to it.
    void remove(std::string_view content_hash, const FindReferenced& find_referenced);

    // Removes files that no row refers to and the remains in `work` and `incoming`, all last changed before `before`. Returns their
    // number.
    std::size_t sweep(core::Time before, const FindReferenced& find_referenced);

private:
    using NamesByHash = std::map<std::string, std::vector<std::string>>;
    std::string folder_path(std::string_view content_hash) const;
    static std::size_t remove_files(const std::string& folder, const NamesByHash& files, std::optional<core::Time> before,
                                    const FindReferenced& find_referenced);
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
