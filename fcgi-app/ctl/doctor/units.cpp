// doctor: the units that systemd runs for the instance.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "ctl/doctor/doctor.h"

namespace tradepost::ctl {
namespace {

using UnitProperties = std::map<std::string, std::string>;

struct UnitKind {
    const char *name, *suffix;
    const char* without;  // what stops while it does not run; null when it need not run, so that only a failure is a fault
};

// tradepost-search@ and tradepost-index@ are told of by the checks of the search server.
constexpr UnitKind unit_kinds[] = {
    {"tradepost", ".socket", "nginx reaches no worker without it"},
    {"tradepost-auth", ".socket", "nobody can sign in without it"},
    {"tradepost-uploads", ".socket", "nothing can be uploaded without it"},
    {"tradepost-spool", ".socket", "large files cannot be uploaded without it"},
    {"tradepost-deliver", ".service", "letters, webhooks and push messages wait for it"},
    {"tradepost-prune", ".timer", "expired data stays without it"},
    {"tradepost", ".service", nullptr},
    {"tradepost-auth", ".service", nullptr},
    {"tradepost-uploads", ".service", nullptr},
    {"tradepost-spool", ".service", nullptr},
    {"tradepost-prune", ".service", nullptr},
    {"tradepost-backup", ".timer", nullptr},
    {"tradepost-backup", ".service", nullptr},
    {"tradepost-rehearse", ".service", nullptr},
};

// Of each unit in their order; empty when systemd cannot be asked.
std::vector<UnitProperties> ask_systemd(const std::vector<std::string>& units) {
    std::string command = "LC_ALL=C systemctl show --property=LoadState,ActiveState,SubState,Result,UnitFileState";
    for (const auto& unit : units) command += " '" + unit + "'";
    const std::unique_ptr<FILE, int (*)(FILE*)> out(popen((command + " 2>/dev/null").c_str(), "re"), pclose);
    std::vector<UnitProperties> all;
    bool between = true;  // an empty line ends a unit
    char line[256];
    while (out && std::fgets(line, sizeof line, out.get())) {
        std::string text(line);
        if (text.ends_with('\n')) text.pop_back();
        const auto equals = text.find('=');
        if (!text.empty() && between) all.emplace_back();
        between = text.empty();
        if (equals != std::string::npos) all.back()[text.substr(0, equals)] = text.substr(equals + 1);
    }
    if (all.size() != units.size()) all.clear();
    return all;
}

bool any_starts(const std::vector<UnitProperties>& all) {
    return std::any_of(all.begin(), all.end(), [](const UnitProperties& its) {
        return its.contains("ActiveState") && its.at("ActiveState") == "activating" &&
               !its.at("SubState").starts_with("auto-restart");
    });
}

// As ask_systemd(), after the units that are starting have started; waits for ten seconds at most.
std::vector<UnitProperties> ask_settled_systemd(const std::vector<std::string>& units) {
    constexpr std::chrono::milliseconds pause{200};
    auto all = ask_systemd(units);
    for (int attempts = 50; attempts > 0 && any_starts(all); --attempts) {
        std::this_thread::sleep_for(pause);
        all = ask_systemd(units);
    }
    return all;
}

// False when it has a fault, which is told then.
bool check_unit(const std::string& unit, UnitProperties& its, const char* without, Report& report) {
    const auto& active = its["ActiveState"];
    const auto log = "journalctl -u " + unit + " tells why";
    if (its["LoadState"] == "masked")
        return report.check(false, unit + " is masked", "systemctl unmask " + unit + ", and systemctl start " + unit);
    if (active == "failed")
        return report.check(false, unit + " failed (" + its["Result"] + ")", log + "; then systemctl restart " + unit);
    if (its["SubState"].starts_with("auto-restart"))
        return report.check(false, unit + " ends again and again (" + its["Result"] + ")", log);
    if (!without || active == "active" || active == "reloading") return true;
    if (active == "activating") {
        report.warn(unit + " starts", "run this again in a minute; if it still does, " + log);
        return false;
    }
    return report.check(false, unit + " does not run", "systemctl start " + unit + "; " + without);
}

}  // namespace

bool check_units(Context& context, Report& report) {
    namespace fs = std::filesystem;
    const auto& config = context.config();
    std::error_code missing;
    const bool plain = config.instance.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._") ==
                       std::string::npos;
    if (!plain || fs::path(config.path).parent_path() != "/etc/tradepost" || !fs::exists("/run/systemd/system", missing))
        return true;
    const auto target = "tradepost@" + config.instance + ".target";
    std::vector<std::string> units{target};
    for (const auto& kind : unit_kinds) units.push_back(kind.name + ("@" + config.instance) + kind.suffix);
    auto found = ask_settled_systemd(units);
    if (found.empty() || found[0]["LoadState"] == "not-found") return true;
    bool any = found[0]["ActiveState"] == "active";
    for (std::size_t i = 0; i < std::size(unit_kinds); ++i)
        any = any || (unit_kinds[i].without && found[i + 1]["ActiveState"] == "active");
    if (!any) return report.check(false, target + " does not run", "systemctl enable --now " + target);
    bool good = true;
    for (std::size_t i = 0; i < std::size(unit_kinds); ++i)
        good = check_unit(units[i + 1], found[i + 1], unit_kinds[i].without, report) && good;
    if (found[0]["UnitFileState"] != "enabled")
        report.warn(target + " does not start with this host", "systemctl enable " + target);
    if (good) report.check(true, "units of " + target + " run", "");
    return true;
}

}  // namespace tradepost::ctl
