#include "support/prometheus.h"

#include <charconv>
#include <cmath>
#include <regex>
#include <set>
#include <sstream>

namespace tradepost::test {
namespace {

// The rules of one histogram's series, of which each has labels of its own beside `le`.
struct Buckets {
    double bound = -1, count = 0;
    bool ended = false;
};

double number(const std::string& text, bool& good) {
    if (text == "+Inf") return HUGE_VAL;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    good = good && error == std::errc() && end == text.data() + text.size();
    return value;
}

class Reader {
public:
    Figures read(const std::string& text) {
        if (!text.ends_with('\n')) fault("the last line does not end", "");
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) read_line(line);
        for (const auto& [series, buckets] : buckets_) {
            const auto& [histogram, labels] = series;
            if (!buckets.ended) fault("no +Inf", histogram + labels);
            if (figures_.at(histogram + "_count" + labels) != buckets.count) fault("+Inf is not _count", histogram + labels);
            if (!figures_.samples.contains(histogram + "_sum" + labels)) fault("no _sum", histogram + labels);
        }
        return std::move(figures_);
    }

private:
    void fault(const std::string& what, const std::string& line) { figures_.faults.push_back(what + ": " + line); }

    void read_line(const std::string& line) {
        static const std::regex head("# (HELP|TYPE) ([a-z_0-9]+) (.+)");
        static const std::regex sample(
            "([a-z_0-9]+?)(_bucket|_sum|_count)?(\\{([a-z]+=\"[^\"\\\\\n]*\"(,[a-z]+=\"[^\"\\\\\n]*\")*)\\})? ([0-9.e+-]+)");
        std::smatch found;
        if (std::regex_match(line, found, head)) return read_head(found, line);
        if (!std::regex_match(line, found, sample)) return fault("no sample", line);
        const bool histogram = type_ == "histogram";
        const std::string name = found[1].str() + (histogram ? "" : found[2].str());
        if (name != family_ || type_.empty()) fault("outside of its family", line);
        if (histogram != found[2].matched) fault("of another type", line);
        bool good = true;
        const double value = number(found[6], good);
        if (!good || value < 0) fault("no number", line);
        if (!figures_.samples.emplace(line.substr(0, line.rfind(' ')), value).second) fault("twice", line);
        if (found[2] == "_bucket") read_bucket(found[4], value, line);
    }

    void read_head(const std::smatch& found, const std::string& line) {
        const std::string name = found[2], rest = found[3];
        if (found[1] == "HELP") {
            if (!families_.insert(name).second) fault("a family twice", line);
            family_ = name;
            type_.clear();
            return;
        }
        if (name != family_ || !type_.empty()) fault("TYPE without its HELP", line);
        type_ = rest;
        figures_.types[name] = rest;
        if (rest != "counter" && rest != "gauge" && rest != "histogram") fault("no type", line);
        if ((rest == "counter") != name.ends_with("_total")) fault("_total is for counters", line);
    }

    void read_bucket(const std::string& labels, double value, const std::string& line) {
        static const std::regex le("(.*),le=\"([^\"]+)\"");
        std::smatch found;
        if (!std::regex_match(labels, found, le)) return fault("no le", line);
        auto& buckets = buckets_[{family_, "{" + found[1].str() + "}"}];
        bool good = true;
        const double bound = number(found[2], good);
        if (!good || bound <= buckets.bound || buckets.ended) fault("bounds do not rise", line);
        if (value < buckets.count) fault("counts do not rise", line);
        buckets = {bound, value, found[2] == "+Inf"};
    }

    Figures figures_;
    std::string family_, type_;
    std::set<std::string> families_;
    std::map<std::pair<std::string, std::string>, Buckets> buckets_;  // by family and labels
};

}  // namespace

double Figures::at(const std::string& sample) const {
    const auto found = samples.find(sample);
    return found == samples.end() ? 0 : found->second;
}

Figures read_figures(const std::string& text) {
    return Reader().read(text);
}

}  // namespace tradepost::test
