// The parts of tradepostctl doctor.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ctl/context.h"
#include "ctl/doctor/web_client.h"
#include "ctl/output.h"

namespace tradepost::ctl {

// lines: "ok   what", "FAIL what: what to do", or "WARN what: what to do", which is no failure. icinga: see print_for_icinga().
enum class ReportFormat { lines, json, icinga };

class Report {
public:
    explicit Report(ReportFormat format) : format_(format) {}
    bool check(bool good, const std::string& what, const std::string& remedy);  // returns `good`
    void warn(const std::string& what, const std::string& remedy);
    // Performance data for Icinga: "label=value[unit];[warning];[critical];[minimum]".
    void figure(const std::string& text) { figures_.push_back(text); }
    // Prints the document of --json, or what Icinga reads about `instance`. Returns the exit code.
    int finish(const std::string& instance) const;

private:
    ReportFormat format_;
    bool failed_ = false;
    Json checks_ = Json::array();
    std::vector<std::string> figures_;
};

// Prints the output of a monitoring plugin: a summary and performance data in the first line, then a line for each fault and each advice.
// `checks` is the document of --json. Returns the exit code: 0 OK, 1 WARNING if there is advice, 2 CRITICAL if a check failed.
int print_for_icinga(const std::string& instance, const Json& checks, std::vector<std::string> figures);
// Prints why nothing could be checked. Returns 3, UNKNOWN.
int print_unknown_for_icinga(const std::string& why);

// Whether the server answers, is one that works, keeps the same time and has the schema that `sql` makes. False when nothing else
// can be asked of it.
bool check_database(Context& context, db::Connection& connection, const std::string& sql, Report& report);

// Whether a server of this version is new enough. The line also says so when the tests do not run on that version.
struct ServerVersion {
    bool mariadb;  // MySQL otherwise
    int major, minor;
};
void check_version(const ServerVersion& server, Report& report);

// So long before its end, a certificate is to be renewed.
inline constexpr std::chrono::days certificate_ends_soon{14};
// The remedy for a certificate of the cluster's own authority.
inline constexpr const char* renew_certificate = "renew it (CLUSTER.md, \"Renewing certificates\")";
// When the last of the certificates in a PEM file ends. Empty if it has none, or cannot be read.
std::optional<core::Time> last_end(const std::string& file);
// Parses the form of OpenSSL and of database servers, "Jan 31 09:15:00 2027 GMT".
std::optional<core::Time> parse_certificate_time(const std::string& text);
// Fails if the certificate has ended, and warns if it ends soon.
void check_certificate_end(const std::string& what, core::Time ends, core::Time now, const std::string& remedy, Report& report);

// Whether `q` can be answered by the engine of the configuration, and whether another one is to be advised.
void check_search(Context& context, db::Connection& connection, Report& report);
inline constexpr const char* advise_sphinx =
    "install sphinxsearch and set search.engine = \"sphinx\" (OPERATORS.md, \"Search server\")";
// What the line says of the search server, whose version is given as the server says it: whether the tests run on it.
std::string describe_search_server(const std::string& version);

// Lists rows whose texts or references are older than the rule for texts: reads all rows once, and changes nothing. Such rows are no failure.
void check_texts(db::Connection& connection, Report& report);

bool check_configuration(Context& context, Report& report);
void check_limits(Context& context, Report& report);
// When the instance was last backed up, and a backup rehearsed.
void check_backups(Context& context, Report& report);
// By what this process sees. The pool of uploads sees more.
void check_uploads_from_here(Context& context, Report& report);

// Whether systemd runs what an instance of /etc/tradepost has to have. Checks nothing without systemd. False when the instance is stopped,
// and nothing of it answers.
bool check_units(Context& context, Report& report);

// Whether nginx, whose main configuration is this file, runs; true also when it is not on this host.
bool check_nginx_runs(const std::string& main_file, Report& report);

// Whether nginx, whose main configuration and whose limits of clients are in these files, keeps connections and files for others
// when one client takes all that it may. Checks nothing when nginx is not on this host, or does not limit clients.
void check_nginx_connections(const std::string& main_file, const std::string& flood_file, Report& report);

// Whether nginx answers at `url`, reaches the pools, whose sockets are in the folder `sockets`, and leaves requests whole; and
// what the uploads pool says of its store. `key` signs the requests that only this instance's workers answer; without it they
// are not asked. True when the uploads pool checked the directory of this configuration.
bool check_web(Context& context, WebClient& client, const std::string& url, const std::string& sockets,
               const std::optional<std::string>& key, Report& report);

}  // namespace tradepost::ctl
