// Checks whether uploads work, for tradepostctl doctor, from within the process that stores them.
#pragma once
#include <string>
#include <vector>

#include "files/store.h"

namespace tradepost::files {

// Empty when the disk has room for more; else a text that says how much is needed.
std::string space_fault(const std::string& directory);

// The faults of the store at `directory` for this process, each with what to do; `spool_socket` is that of tradepost-spool. Writes a
// small file there and removes it. Never throws.
std::vector<std::string> store_faults(const std::string& directory, const std::string& spool_socket);

}  // namespace tradepost::files
