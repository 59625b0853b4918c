// doctor: nginx's connections and files, beside the limit of each client.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "ctl/doctor/doctor.h"

namespace tradepost::ctl {
namespace {

// Of a process that systemd starts without LimitNOFILE= (systemd.exec(5)).
constexpr std::uint64_t usual_files = 1024;

std::string read_file(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

// The last argument of a directive, of the last one if it occurs again; empty when it does not occur.
std::string argument_of(const std::string& configuration, const std::string& directive) {
    static const std::regex comments("#[^\n]*");
    const auto text = std::regex_replace(configuration, comments, "");
    const std::regex wanted("(?:^|[;{}\\s])" + directive + "\\s+([^;\\s]+)\\s*;");
    std::string found;
    for (std::sregex_iterator each(text.begin(), text.end(), wanted), end; each != end; ++each) found = (*each)[1];
    return found;
}

std::uint64_t number_of(const std::string& configuration, const std::string& directive, std::uint64_t otherwise) {
    const auto text = argument_of(configuration, directive);
    return text.empty() ? otherwise : std::strtoull(text.c_str(), nullptr, 10);
}

// Of the running nginx; 0 when there is none.
pid_t process_of(const std::string& configuration) {
    const auto named = argument_of(configuration, "pid");
    std::ifstream file(named.empty() ? "/run/nginx.pid" : named);
    pid_t pid = 0;
    if (!(file >> pid) || pid <= 0 || (kill(pid, 0) != 0 && errno == ESRCH)) return 0;
    const auto name = read_file("/proc/" + std::to_string(pid) + "/comm");
    return name.empty() || name.starts_with("nginx") ? pid : 0;  // after a crash the file may name another program
}

// What the running nginx inherited from whoever started it.
std::uint64_t inherited_files(pid_t pid) {
    if (pid == 0) return usual_files;
    std::smatch found;
    const auto limits = read_file("/proc/" + std::to_string(pid) + "/limits");
    return std::regex_search(limits, found, std::regex("Max open files +([0-9]+)")) ? std::stoull(found[1]) : usual_files;
}

}  // namespace

bool check_nginx_runs(const std::string& main_file, Report& report) {
    const auto configuration = read_file(main_file);
    if (configuration.empty() || process_of(configuration) != 0) return true;
    std::error_code missing;
    const bool systemd = main_file.starts_with("/etc/") && std::filesystem::exists("/run/systemd/system", missing);
    return report.check(
        false, "nginx does not run",
        systemd ? "systemctl status nginx tells why; then systemctl start nginx" : "start it; its error log tells why it ended");
}

void check_nginx_connections(const std::string& main_file, const std::string& flood_file, Report& report) {
    const auto configuration = read_file(main_file);
    const auto requests = number_of(read_file(flood_file), "limit_conn\\s+\\S+", 0);
    if (configuration.empty() || requests == 0) return;
    const auto of_one_client = 2 * requests;  // each request has a connection to its client and one to a pool
    const auto connections = number_of(configuration, "worker_connections", 512);
    // A host without such load serves everybody, so it is advice.
    const auto advise = [&](bool good, const std::string& what, const std::string& remedy) {
        if (good)
            report.check(true, what, "");
        else
            report.warn(what, remedy);
    };
    advise(connections >= 2 * of_one_client, "nginx has connections for more than one client",
           "worker_connections is " + std::to_string(connections) + " in " + main_file + ", and one client may take " +
               std::to_string(of_one_client) + ": set at least " + std::to_string(2 * of_one_client));
    auto files = number_of(configuration, "worker_rlimit_nofile", 0);
    if (files == 0) files = inherited_files(process_of(configuration));
    // A connection may have a file beside it, for a body or an answer.
    advise(files >= 2 * connections, "nginx may open files for its connections",
           "it may open " + std::to_string(files) + ": set worker_rlimit_nofile " + std::to_string(2 * connections) + " in " +
               main_file);
}

}  // namespace tradepost::ctl
