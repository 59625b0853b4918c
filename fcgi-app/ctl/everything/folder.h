// The folder of an export of everything, and copies of stored files.
#pragma once
#include <cstdio>
#include <string>
#include <string_view>

#include "core/file_descriptor.h"

namespace tradepost::ctl::everything {

// A folder that appears whole or not at all, readable by its owner only. It is written as PATH.part. What an interrupted export left there is
// removed first.
class NewFolder {
public:
    // Throws Failure when there is something at the path, or another process writes the folder.
    explicit NewFolder(const std::string& path);
    ~NewFolder();
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;

    std::string file(std::string_view name) const { return part_ + "/" + std::string(name); }
    // Gives the folder its name, once all of it is on disk.
    void finish();

private:
    std::string path_, part_;
    core::FileDescriptor folder_;  // locked
    bool is_finished_ = false;
};

// A new file that only its owner may read. Throws Failure when the disk is full.
class NewFile {
public:
    explicit NewFile(const std::string& path);
    ~NewFile();
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    void put(std::string_view text);
    void finish();

private:
    [[noreturn]] void fail() const;
    std::string path_;
    std::FILE* file_;
};

// Both return false when there is no file `from`, and leave a file `to` as it is. Throw std::system_error.
// A hard link where the file system allows it, else a copy.
bool link_or_copy(const std::string& from, const std::string& to);
// A copy that shares its blocks with the file where the file system can do that. Its mode is 0600.
bool copy(const std::string& from, const std::string& to);

// Whether a path is "uploads/ab/abcd….webp", as the store names files.
bool is_upload_path(std::string_view path);

}  // namespace tradepost::ctl::everything
