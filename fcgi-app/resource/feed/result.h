// What a feed did, and the lines that failed.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace tradepost::feeds {

struct Failure {
    std::size_t line;
    std::optional<std::string> reference;  // none: it cannot be read
    std::string error;                     // as a PUT of the item answers
};

struct Result {
    std::size_t created = 0, updated = 0, unchanged = 0, archived = 0, failed = 0;
    std::vector<Failure> failures;  // the first most_shown, by line

    void fail(Failure failure);
};

inline constexpr std::size_t most_shown = 100;

std::string render(const Result& result, bool dry_run);

}  // namespace tradepost::feeds
