// Locks on bytes of a file, by which processes share a number of places. The kernel releases the locks of a process that ends for whatever reason.
#pragma once
#include <sys/types.h>

#include <string>

#include "core/file_descriptor.h"

namespace tradepost::core {

// Opens the file `path`, which is created when it is missing; only its owner can. Without a file, `why` says what is wrong. Locks belong to
// the open file: two objects of one process lock against each other.
FileDescriptor open_lock_file(const std::string& path, std::string& why) noexcept;

enum class ByteLock { ours, taken, failed };  // failed: errno says why

// Locks one byte, without waiting.
ByteLock lock_byte(int file, off_t byte) noexcept;
// As lock_byte(), but any number of files may lock the byte in this way.
ByteLock share_byte(int file, off_t byte) noexcept;
// With a count of 0, all bytes from the first on.
void unlock_bytes(int file, off_t first, off_t count) noexcept;

// Whether somebody else has locked or shares one of these bytes. False after a failure.
bool others_lock(int file, off_t first, off_t count) noexcept;

}  // namespace tradepost::core
