// The configuration of one instance, read from its TOML file. These are the defaults; tradepost.toml.example documents each setting.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/config_backup.h"
#include "core/config_limits.h"
#include "core/config_mail.h"
#include "core/config_privacy.h"
#include "core/config_push.h"
#include "core/log.h"
#include "core/time.h"

namespace tradepost::core {

// A rate limit such as "8/15m": 8 requests in a window of 15 minutes.
struct Rate {
    std::uint32_t requests;
    std::chrono::seconds window;
};

struct Config {
    struct DatabaseServer {
        std::string socket;  // a Unix socket; when empty, `host` and `port`
        std::string host;
        std::uint16_t port = 3306;
    };
    // The server of the instance or, with `hosts`, the cluster's node on this host.
    struct Database : DatabaseServer {
        std::vector<DatabaseServer> hosts;  // the nodes of a cluster, in the order in which they are preferred; empty: one server
        bool reads_locally = false;         // lists and details come from this host's node
        std::string name = "tradepost";
        std::string user = "tradepost";
        std::string password;
        std::string tls_ca;                            // CA file for a server on another host, where TLS is required
        std::chrono::milliseconds version_check{100};  // 0: ask at each read; the default for a server on another host
        std::uint32_t max_connections = 7;             // of all processes of the instance together, without tradepostctl
        std::chrono::seconds idle{10};                 // then a process gives a connection back
        std::chrono::seconds connect_timeout{1};
        std::chrono::seconds answer_timeout{8};      // of a statement; lock waits and retries take less
        std::chrono::milliseconds lock_wait{250};    // of polls, and of requests of the API pool
        std::chrono::milliseconds hangs_after{500};  // a failure that takes longer counts as a time-out
    } database;

    struct Search {
        std::string engine = "mysql";
        // Of the engine "sphinx": a Unix socket; when empty, `host` and `port`.
        std::string socket;
        std::string host = "127.0.0.1";
        std::uint16_t port = 9306;
        std::chrono::milliseconds timeout{1500};
        std::chrono::seconds connect_timeout{1};  // of the engine "sphinx"
        bool is_sphinx() const { return engine == "sphinx"; }
    } search;

    struct RateLimits {
        Rate auth{8, std::chrono::minutes(15)};
        std::optional<Rate> auth_address = Rate{300, std::chrono::minutes(15)};  // none: no such limit
        Rate public_reads{60, std::chrono::minutes(1)};
        Rate write{120, std::chrono::minutes(1)};
        bool count_not_modified = true;  // of public reads: also a 304 counts
        std::string store = "shared-memory";
        std::string file;  // of the shared memory; empty: /run/tradepost/<instance>/shared/limits
        // HOST:PORT or a socket's path, in the order of preference: the first that can count does.
        std::vector<std::string> redis = {"127.0.0.1:6379"};
        std::string redis_user, redis_password;  // without a password there is no AUTH, without a user it is the default one's
        bool redis_tls = false;
        std::string redis_tls_ca;  // a file of CA certificates; empty: the system's
        std::chrono::milliseconds redis_connect_timeout{100};
        std::chrono::milliseconds redis_timeout{200};  // of one answer
        std::chrono::milliseconds lock_wait{500};      // for another process that counts; then a request is not counted
    } rate_limits;

    struct Auth {
        std::uint32_t argon2_memory_kib = 19456;
        std::uint32_t argon2_passes = 2;
        std::chrono::seconds longest_queue{3};  // until hashing begins; then a sign-in is refused
    } auth;

    struct Uploads {
        std::string directory = "/var/lib/tradepost";
        std::string spool_socket;  // of tradepost-spool; empty: /run/tradepost/<instance>/spool/socket
        std::uint64_t quota_bytes = 5ull << 30;
        std::uint64_t spool_bytes = 2ull << 30;
    } uploads;

    struct Http {
        std::vector<std::string> listen;        // nginx's ADDRESS:PORT; empty: the port of base_url and port 80, of all addresses
        bool behind_proxy = false;              // nginx speaks plain HTTP to a proxy that terminates TLS
        std::vector<std::string> metrics_from;  // networks that may read /metrics, beside this host
        std::vector<std::string> trusted_proxies;  // with behind_proxy this host, unless others are named
        std::vector<std::string> allowed_origins;
        std::string base_url = "https://localhost";  // without a slash at its end
        std::chrono::seconds deadline{30};           // of one request; a worker that exceeds it ends
        std::chrono::seconds share_wait{2};          // of a request for its share of the workers
        std::uint32_t remembered_bytes = 2 << 20;    // of the response cache of each worker; 0: no cache
        std::chrono::seconds shared_cache{
            0};  // how long caches between us and the public may keep its reads; 0: they ask each time
    } http;

    struct Security {
        std::vector<std::string> contact;  // URIs; none: no security.txt
        std::string policy, encryption;    // URIs, or empty
    } security;

    struct Log {
        log::Level level = log::Level::info;
        std::chrono::milliseconds slow{500};
    } log;

    // Set in a copy for tests, from which nothing is sent to the outside (core/outgoing.h).
    struct Copy {
        std::string of, on;  // of which instance, and the day, such as 2026-11-28
    };
    std::optional<Copy> copy;

    MailConfig mail;
    PushConfig push;
    PrivacyConfig privacy;
    LimitsConfig limits;
    BackupConfig backup;

    // Whom tradepost-deliver connects to.
    struct Servers {
        std::vector<std::string> allow_networks;  // beside public addresses
        std::string tls_ca;                       // a file of CA certificates; empty: the system's
    };
    Servers webhooks;  // their receivers
    Servers fetch;     // where images are that clients name by address

    std::string instance = "default";  // the file's name without .toml
    std::string path;                  // the file, absolute

    // Of the folder that only root and the instance's user can write, so that nobody else creates these first.
    std::string runtime_folder() const { return "/run/tradepost/" + instance; }
    // The path of the rate counters: rate_limits.file, or its default.
    std::string counters_path() const {
        return rate_limits.file.empty() ? runtime_folder() + "/shared/limits" : rate_limits.file;
    }
    // The file in which processes of the instance share database.max_connections.
    std::string connections_path() const { return counters_path() + ":connections"; }
    // When tradepost-instance last backed up the instance ("backed-up") or rehearsed a backup ("rehearsed"): the modification time of a file
    // beside the configuration. Empty: never.
    std::optional<Time> last_done(const char* mark) const;
    // The socket of tradepost-spool: uploads.spool_socket, or its default.
    std::string spool_socket() const {
        return uploads.spool_socket.empty() ? runtime_folder() + "/spool/socket" : uploads.spool_socket;
    }
};

// `what()` names file, line and key, and what to do.
struct ConfigError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Reads `path`, and the files of passwords that it names. Throws ConfigError.
Config load_config(const std::string& path);

}  // namespace tradepost::core
