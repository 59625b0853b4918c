// Every kind of list that the API answers, and what it may cost.
#pragma once
#include <string>
#include <vector>

#include "scale/cost.h"

namespace tradepost::test {

// Which of a list's pages.
enum class At { first, middle, last, past_the_end };

struct Read {
    std::string name;
    std::string path;   // "/jobs"
    std::string query;  // without page
    Caller caller;
    std::string from, where, order;  // the same in SQL that knows nothing of derived columns and indexes; "{now}"
    At at = At::first;
    // What may be read beyond a flat read: the entries of an index that meet this condition. Empty: nothing.
    std::string by_design = {};
};

// All of them. `dealers`: stock, enquiries and the jobs that members see; `content`: posts and events.
std::vector<Read> job_reads();
std::vector<Read> dealer_reads();
std::vector<Read> content_reads();

// The page that the read asks for when so many match.
std::int64_t page_number(const Read& read, std::int64_t total);

constexpr std::int64_t page_size = 20;

// Adds `more` to a list of conditions.
inline std::string both(const std::string& a, const std::string& b) {
    return a.empty() ? b : b.empty() ? a : a + " AND " + b;
}
inline std::string joined(const std::string& a, const std::string& b) {
    return a.empty() ? b : b.empty() ? a : a + "&" + b;
}

}  // namespace tradepost::test
