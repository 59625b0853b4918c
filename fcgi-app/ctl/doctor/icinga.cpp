// doctor --icinga: the output of a monitoring plugin, by https://www.monitoring-plugins.org/doc/guidelines.html.
#include <algorithm>
#include <iostream>

#include "ctl/doctor/doctor.h"

namespace tradepost::ctl {
namespace {

enum State { ok, warning, critical, unknown };
constexpr const char* state_names[] = {"OK", "WARNING", "CRITICAL", "UNKNOWN"};

// A bar begins performance data, also in the lines below the first.
std::string plain(std::string text) {
    text = printable(std::move(text));
    std::replace(text.begin(), text.end(), '|', '/');
    return text;
}

void print_summary(State state, const std::string& text) {
    std::cout << "TRADEPOST " << state_names[state] << " - " << plain(text);
}

}  // namespace

int print_for_icinga(const std::string& instance, const Json& checks, std::vector<std::string> figures) {
    std::size_t counts[3] = {};
    std::string names[3], lines[3];
    for (const auto& each : checks) {
        const State state = each["remedy"].is_null() ? ok : each["ok"] == true ? warning : critical;
        const auto name = each["check"].get<std::string>();
        if (counts[state]++ > 0) names[state] += "; ";
        names[state] += name;
        if (state == ok) continue;
        lines[state] +=
            std::string(state == critical ? "FAIL " : "WARN ") + plain(name + ": " + each["remedy"].get<std::string>()) + "\n";
    }
    const State state = counts[critical] > 0 ? critical : counts[warning] > 0 ? warning : ok;
    const auto count = [&counts](State of) { return std::to_string(counts[of]); };
    const auto all = std::to_string(checks.size());
    if (state == critical)
        print_summary(state, instance + ": " + count(critical) + " of " + all + " checks failed: " + names[critical]);
    else if (state == warning)
        print_summary(state, instance + ": " + count(warning) + " of " + all + " checks advise: " + names[warning]);
    else
        print_summary(state, instance + ": " + all + " checks passed");
    figures.insert(figures.begin(), {"failed=" + count(critical) + ";;0;0", "advice=" + count(warning) + ";0;;0"});
    std::cout << " |";
    for (const auto& figure : figures) std::cout << " " << figure;
    std::cout << "\n" << lines[critical] << lines[warning];
    return state;
}

int print_unknown_for_icinga(const std::string& why) {
    print_summary(unknown, why);
    std::cout << std::endl;
    return unknown;
}

}  // namespace tradepost::ctl
