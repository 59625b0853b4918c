// A defect for each group of checks, which clang-tidy must find: else it finds nothing anywhere. Never built.
#include <cstdlib>
#include <string>
#include <utility>

int planted(const char* text, std::string moved, const int* none) {
    const std::string taken = std::move(moved);
    if (none != nullptr) return std::atoi(text) + static_cast<int>(taken.size());
    return static_cast<int>(moved.size()) + *none;
}
