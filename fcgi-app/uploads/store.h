// Files named by their content, in a folder that nginx serves: <directory>/<hh>/<hash>.<ext>, where <hh> is how the hash begins.
// Beside them `work`, for what is being made, and `incoming`, where nginx puts bodies; all on one file system.
#pragma once
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"

namespace tradepost::uploads {

// A folder for one upload under way, removed with everything in it. What a crash leaves is swept.
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

// While it lives, nothing of one <hh> is removed: from before a file is found or put there until a committed row refers to it.
class Hold {
public:
    Hold() = default;
    explicit Hold(int descriptor) : descriptor_(descriptor) {}
    ~Hold();
    Hold(Hold&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
    Hold& operator=(Hold&& other) noexcept;

private:
    friend class Store;
    int descriptor_ = -1;
};

class Store {
public:
    // Which of these hashes (32 bytes each) some row refers to. Asked while no new reference can be made.
    using Referred = std::function<std::set<std::string>(const std::vector<std::string>& hashes)>;

    // Touches nothing yet. Every call below throws std::system_error, with ENOSPC or EDQUOT when the disk is full.
    explicit Store(std::string directory) : directory_(std::move(directory)) {}

    std::string incoming() const { return directory_ + "/incoming"; }
    std::string work() const;  // makes it when it is missing

    // `url` is one that domain::upload_url() or thumbnail_url() made.
    std::string path(std::string_view url) const;

    Hold hold(std::string_view content_hash);

    // Gives the file at `from`, which is complete on disk, its name, and returns when that is on disk too. Where it has one
    // already nothing is done. The hold is that of its hash.
    void publish(const Hold& hold, const std::string& from, std::string_view url);

    // Removes the files of one hash unless some row refers to it; leaves them when somebody holds them.
    void remove(std::string_view content_hash, const Referred& referred);

    // Removes files that no row refers to and what was left in `work` and `incoming`, all last changed before `before`. Returns
    // how many.
    std::size_t sweep(core::Time before, const Referred& referred);

private:
    std::string folder(std::string_view content_hash) const;
    std::string directory_;
};

// Writes a file of our own: complete on disk when it returns. For nginx's group to read.
void write_file(const std::string& path, std::string_view bytes);
void finish_file(const std::string& path);  // the same for one that is written already

// SHA-256 of a file, 32 bytes, in little memory.
std::string hash_file(const std::string& path);
std::uint64_t file_size(const std::string& path);

}  // namespace tradepost::uploads
