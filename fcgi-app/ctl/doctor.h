// The parts of tradepostctl doctor.
#pragma once
#include <string>

#include "ctl/context.h"
#include "ctl/output.h"
#include "ctl/web_client.h"

namespace tradepost::ctl {

// One line a check: "ok   what", "FAIL what: what to do", or "WARN what: what to do", which is no failure.
class Report {
public:
    explicit Report(bool json) : json_(json) {}
    bool check(bool good, const std::string& what, const std::string& remedy);  // returns `good`
    void warn(const std::string& what, const std::string& remedy);
    int finish() const;  // the exit code; prints the document of --json

private:
    bool json_, failed_ = false;
    Json checks_ = Json::array();
};

// Whether the server answers, is one that works, keeps the same time and has the schema that `sql` makes. False when nothing else
// can be asked of it.
bool check_database(Context& context, db::Connection& connection, const std::string& sql, Report& report);

// Whether a server of this version is new enough. The line also says so when the tests do not run on that version.
struct ServerVersion {
    bool mariadb;  // MySQL otherwise
    int major, minor;
};
void check_version(const ServerVersion& server, Report& report);

// Whether `q` can be answered by the engine of the configuration, and whether another one is to be advised.
void check_search(Context& context, db::Connection& connection, Report& report);
inline constexpr const char* advise_sphinx =
    "install sphinxsearch and set search.engine = \"sphinx\" (OPERATORS.md, \"Search server\")";
// What the line says of the search server, whose version is given as the server says it: whether the tests run on it.
std::string describe_search_server(const std::string& version);

bool check_configuration(Context& context, Report& report);
void check_limits(Context& context, Report& report);
// By what this process sees. The pool of uploads sees more.
void check_uploads_from_here(Context& context, Report& report);

// Whether nginx, whose main configuration and whose limits of clients are in these files, keeps connections and files for others
// when one client takes all that it may. Checks nothing when nginx is not on this host, or does not limit clients.
void check_nginx_connections(const std::string& main_file, const std::string& flood_file, Report& report);

// Whether nginx answers at `url`, reaches the pools, whose sockets are in the folder `sockets`, and leaves requests whole; and
// what the uploads pool says of its store. `key` signs the requests that only this instance's workers answer; without it they
// are not asked. True when the uploads pool checked the directory of this configuration.
bool check_web(Context& context, WebClient& client, const std::string& url, const std::string& sockets,
               const std::optional<std::string>& key, Report& report);

}  // namespace tradepost::ctl
