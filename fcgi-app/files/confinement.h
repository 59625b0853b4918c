// What a program that decodes untrusted files may do: read programs and libraries, and work in one folder. By Landlock (landlock(7)) and
// a filter of system calls (seccomp(2)).
#pragma once
#include <string>

#include "core/file_descriptor.h"

namespace tradepost::files {

class Confinement {
public:
    // For a process that works in `directory`. Throws std::system_error, which says what the kernel lacks.
    explicit Confinement(const std::string& directory);

    // Confines the calling process and what it executes, for ever. Between fork and exec: makes system calls only. False when the
    // process is not confined; it must not go on then.
    bool apply() const noexcept;

private:
    core::FileDescriptor ruleset_;
};

}  // namespace tradepost::files
