// Whether uploads would work: for tradepostctl doctor, from within the process that stores them.
#pragma once
#include <string>
#include <vector>

#include "uploads/store.h"

namespace tradepost::uploads {

// Empty when there is room for more; else one text that says how much is needed.
std::string space_fault(const std::string& directory);

// What this process cannot do with the store at `directory`, one text each that says how to mend it. Writes a small file there
// and removes it. Never throws.
std::vector<std::string> faults_of(const std::string& directory);

}  // namespace tradepost::uploads
