// doctor: nginx's connections and files, beside the limit of each client.
#include <fstream>
#include <iterator>
#include <regex>

#include "ctl/doctor.h"

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

// What the running nginx inherited from whoever started it.
std::uint64_t inherited_files(const std::string& pid_file) {
    std::ifstream file(pid_file);
    unsigned pid = 0;
    if (!(file >> pid)) return usual_files;
    std::smatch found;
    const auto limits = read_file("/proc/" + std::to_string(pid) + "/limits");
    return std::regex_search(limits, found, std::regex("Max open files +([0-9]+)")) ? std::stoull(found[1]) : usual_files;
}

}  // namespace

void check_nginx_connections(const std::string& main_file, const std::string& flood_file, Report& report) {
    const auto configuration = read_file(main_file);
    const auto requests = number_of(read_file(flood_file), "limit_conn\\s+\\S+", 0);
    if (configuration.empty() || requests == 0) return;
    const auto of_one_client = 2 * requests;  // each request has a connection to its client and one to a pool
    const auto connections = number_of(configuration, "worker_connections", 512);
    report.check(connections >= 2 * of_one_client, "nginx has connections for more than one client",
                 "worker_connections is " + std::to_string(connections) + " in " + main_file + ", and one client may take " +
                     std::to_string(of_one_client) + ": set at least " + std::to_string(2 * of_one_client));
    auto files = number_of(configuration, "worker_rlimit_nofile", 0);
    if (files == 0) files = inherited_files(argument_of(configuration, "pid"));
    // A connection may have a file beside it, for a body or an answer.
    report.check(files >= 2 * connections, "nginx may open files for its connections",
                 "it may open " + std::to_string(files) + ": set worker_rlimit_nofile " + std::to_string(2 * connections) +
                     " in " + main_file);
}

}  // namespace tradepost::ctl
