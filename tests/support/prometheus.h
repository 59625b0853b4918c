// Reads Prometheus' text format 0.0.4 more strictly than Prometheus does.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace tradepost::test {

struct Figures {
    std::map<std::string, double> samples;     // by name with its labels, as written
    std::map<std::string, std::string> types;  // by family
    std::vector<std::string> faults;           // what breaks the format's rules

    double at(const std::string& sample) const;  // 0 when it is not there
};

// Each family has HELP and TYPE before its samples, which stand together; a counter ends in _total; labels are quoted, no sample
// occurs twice; a histogram's buckets rise in bounds and counts, end with +Inf, and that is _count; the last line ends.
Figures read_figures(const std::string& text);

}  // namespace tradepost::test
