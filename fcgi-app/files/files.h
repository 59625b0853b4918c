// System calls on files that throw std::system_error.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "core/file_descriptor.h"

namespace tradepost::files {

[[noreturn]] inline void fail(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

// Never follows a link at the end of the path.
inline core::FileDescriptor open_file(const std::string& path, int flags, mode_t mode = 0) {
    core::FileDescriptor file(open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, mode));
    if (!file) fail(path);
    return file;
}

inline void sync(const std::string& path, int flags = O_RDONLY) {
    if (fsync(open_file(path, flags).get()) != 0) fail("fsync " + path);
}

}  // namespace tradepost::files
