#include "core/config.h"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "core/config_section.h"
#include "core/host.h"
#include "core/outgoing.h"
#include "core/time.h"

namespace tradepost::core {
namespace {

// Of the cluster of `hosts`, and of this host's node in it.
void read_cluster(Section& s, Config::Database& database) {
    const auto* hosts = s.find("hosts");
    const auto* reads = s.find("reads");
    std::string from = "primary";
    s.read("reads", from, {"primary", "local"});
    database.reads_locally = from == "local";
    if (!hosts) {
        if (database.reads_locally) s.fail(*reads, "reads", "= \"local\" needs hosts");
        return;
    }
    std::vector<std::string> names;
    s.read("hosts", names);
    for (const auto& name : names) {
        const auto server = parse_endpoint(name, database.port);
        if (!server) s.fail(*hosts, "hosts", "must name servers as \"HOST\" or \"HOST:PORT\"");
        database.hosts.push_back({.socket = {}, .host = server->host, .port = server->port});
    }
    if (names.empty()) s.fail(*hosts, "hosts", "must name at least one server");
    for (const char* key : {"host", "socket", "port"})
        if (const auto* other = s.find(key); other && !database.reads_locally)
            s.fail(*other, key, "and hosts are both set; beside hosts it names this host's own node, for reads = \"local\"");
}

void read_database(Section s, Config::Database& database, const std::filesystem::path& folder) {
    s.read("socket", database.socket);
    s.read("host", database.host);
    s.read("port", database.port, 1, 65535);
    read_cluster(s, database);
    s.read("name", database.name);
    s.read("user", database.user);
    s.read("password", database.password);
    s.read("tls_ca", database.tls_ca);
    s.read("version_check_ms", database.version_check, 0, 1000);
    s.read("max_connections", database.max_connections, 5, 10000);
    s.read("idle_s", database.idle, 1, 3600);
    s.read("connect_timeout_s", database.connect_timeout, 1, 60);
    s.read("answer_timeout_s", database.answer_timeout, 4, 60);
    s.read("lock_wait_ms", database.lock_wait, 50, 5000);
    s.read("hangs_after_ms", database.hangs_after, 100, 5000);
    std::string password_file;
    s.read("password_file", password_file);
    s.finish();
    const auto* node = s.find("password_file");
    if (node && s.find("password")) s.fail(*node, "password_file", "and password are both set; keep one");
    if (node) database.password = read_secret(folder, password_file, "database.password_file");
    if (const auto* host = s.find("host"); host && s.find("socket")) s.fail(*host, "host", "and socket are both set; keep one");
    if (database.socket.empty() && database.host.empty()) database.socket = "/run/mysqld/mysqld.sock";
    // Other hosts may write to a server in the network, and this host is not notified of it.
    const bool shared = !database.hosts.empty() || (database.socket.empty() && !is_this_host(database.host));
    if (!s.find("version_check_ms") && shared) database.version_check = {};
}

void read_search(Section s, Config::Search& search) {
    s.read("engine", search.engine, {"mysql", "sphinx"});
    s.read("socket", search.socket);
    s.read("host", search.host);
    s.read("port", search.port, 1, 65535);
    s.read("timeout_ms", search.timeout, 100, 10000);
    s.read("connect_timeout_s", search.connect_timeout, 1, 60);
    s.finish();
    if (const auto* host = s.find("host"); host && s.find("socket")) s.fail(*host, "host", "and socket are both set; keep one");
}

void read_rate_limits(Section s, Config::RateLimits& limits, const std::filesystem::path& folder) {
    s.read("auth", limits.auth);
    s.read("auth_address", limits.auth_address);
    s.read("public", limits.public_reads);
    s.read("write", limits.write);
    s.read("count_not_modified", limits.count_not_modified);
    s.read("store", limits.store, {"shared-memory", "redis"});
    s.read("file", limits.file);
    s.read_list("redis", limits.redis);
    s.read("redis_user", limits.redis_user);
    std::string password_file;
    s.read("redis_password_file", password_file);
    s.read("redis_tls", limits.redis_tls);
    s.read("redis_tls_ca", limits.redis_tls_ca);
    s.read("redis_connect_timeout_ms", limits.redis_connect_timeout, 10, 60000);
    s.read("redis_timeout_ms", limits.redis_timeout, 10, 60000);
    s.read("lock_wait_ms", limits.lock_wait, 10, 60000);
    s.finish();
    if (limits.redis.empty()) s.fail(*s.find("redis"), "redis", "must name at least one server");
    const bool socket =
        std::any_of(limits.redis.begin(), limits.redis.end(), [](auto& server) { return server.starts_with('/'); });
    if (limits.redis_tls && socket) s.fail(*s.find("redis_tls"), "redis_tls", "is for HOST:PORT in redis, not for a Unix socket");
    // Without TLS it would not be looked at, and somebody relied on it.
    if (const auto* node = s.find("redis_tls_ca"); node && !limits.redis_tls)
        s.fail(*node, "redis_tls_ca", "needs redis_tls = true");
    const auto* node = s.find("redis_password_file");
    if (node) limits.redis_password = read_secret(folder, password_file, "rate_limits.redis_password_file");
    if (const auto* user = s.find("redis_user"); user && !node) s.fail(*user, "redis_user", "needs redis_password_file");
}

// RFC 9116, section 2.5: web pages by https only. Nothing in it may end a line.
bool is_contact(const std::string& uri) {
    const auto visible = [](unsigned char c) { return c > ' ' && c < 127; };
    return std::all_of(uri.begin(), uri.end(), visible) &&
           (uri.starts_with("https://") || uri.starts_with("mailto:") || uri.starts_with("tel:"));
}

void read_security(Section s, Config::Security& security) {
    s.read("contact", security.contact);
    s.read("policy", security.policy);
    s.read("encryption", security.encryption);
    s.finish();
    const auto check = [&](const char* key, const std::string& uri) {
        if (!uri.empty() && !is_contact(uri)) s.fail(*s.find(key), key, "must be https://…, mailto:… or tel:…");
    };
    for (const auto& uri : security.contact) check("contact", uri.empty() ? " " : uri);
    check("policy", security.policy);
    check("encryption", security.encryption);
}

// The section alone makes the instance a copy, so a typing error in it cannot open what it closes.
Config::Copy read_copy(Section s, const toml::node& section) {
    Config::Copy copy;
    s.read("of", copy.of);
    s.read("on", copy.on);
    s.finish();
    if (copy.of.empty()) s.fail(section, "of", "must be the name of an instance");
    if (!parse_date(copy.on)) s.fail(section, "on", "must be a day, such as \"2026-11-28\"");
    return copy;
}

void read_servers(Section s, Config::Servers& servers) {
    s.read("allow_networks", servers.allow_networks);
    s.read("tls_ca", servers.tls_ca);
    s.finish();
}

void read_limits(Section s, LimitsConfig& limits) {
    for (const auto& [key, value] : limit_settings) s.read(key, limits.*value, 1, std::int64_t(1) << 50);
    s.finish();
}

void read_log(Section s, Config::Log& log) {
    std::string level = "info";
    s.read("level", level, {"debug", "info", "warning", "error"});
    log.level = level == "debug"     ? log::Level::debug
                : level == "warning" ? log::Level::warning
                : level == "error"   ? log::Level::error
                                     : log::Level::info;
    s.read("slow_ms", log.slow, 0, 60000);
    s.finish();
}

}  // namespace

Config load_config(const std::string& path) {
    toml::table root;
    // A folder would read as an empty file, that is, as all defaults.
    if (std::filesystem::is_directory(path)) throw ConfigError(path + ": is a folder; name the file in it");
    try {
        root = toml::parse_file(path);
    } catch (const toml::parse_error& error) {
        const auto line = error.source().begin.line;
        throw ConfigError(path + ":" + (line ? std::to_string(line) + ":" : "") + " " + std::string(error.description()));
    }
    Config config;
    config.path = std::filesystem::absolute(path);
    config.instance = std::filesystem::path(path).stem();
    const auto folder = std::filesystem::path(config.path).parent_path();

    const auto section = [&](const char* name) {
        const auto* node = root.get(name);
        if (node && !node->is_table())
            throw ConfigError(path + ":" + std::to_string(node->source().begin.line) + ": " + name + " must be a section: [" +
                              name + "]");
        return Section(path, node ? node->as_table() : nullptr, name);
    };
    read_database(section("database"), config.database, folder);

    read_search(section("search"), config.search);

    read_rate_limits(section("rate_limits"), config.rate_limits, folder);

    auto auth = section("auth");
    auth.read("argon2_memory_kib", config.auth.argon2_memory_kib, 8192, 1 << 20);
    auth.read("argon2_passes", config.auth.argon2_passes, 1, 20);
    auth.read("longest_queue_s", config.auth.longest_queue, 1, 60);
    auth.finish();

    auto uploads = section("uploads");
    uploads.read("directory", config.uploads.directory);
    uploads.read("spool_socket", config.uploads.spool_socket);
    uploads.read("quota_bytes", config.uploads.quota_bytes, 0, std::int64_t(1) << 50);
    uploads.read("spool_bytes", config.uploads.spool_bytes, 0, std::int64_t(1) << 50);
    uploads.finish();

    auto http = section("http");
    http.read("listen", config.http.listen);
    http.read("behind_proxy", config.http.behind_proxy);
    http.read("metrics_from", config.http.metrics_from);
    if (config.http.behind_proxy) config.http.trusted_proxies = {"127.0.0.1", "::1"};
    http.read("trusted_proxies", config.http.trusted_proxies);
    http.read("allowed_origins", config.http.allowed_origins);
    http.read("base_url", config.http.base_url);
    http.read("deadline_s", config.http.deadline, 1, 300);
    http.read("share_wait_s", config.http.share_wait, 1, 60);
    http.read("remembered_bytes", config.http.remembered_bytes, 0, 1 << 30);
    http.read("shared_cache", config.http.shared_cache, std::chrono::hours(1));
    http.finish();
    while (config.http.base_url.ends_with('/')) config.http.base_url.pop_back();

    read_security(section("security"), config.security);
    read_log(section("log"), config.log);
    if (const auto* node = root.get("copy")) {
        config.copy = read_copy(section("copy"), *node);
        forbid_outgoing();
    }
    read_mail(section("mail"), config.mail, folder);
    read_push(section("push"), config.push, folder);
    read_servers(section("webhooks"), config.webhooks);
    read_servers(section("fetch"), config.fetch);
    read_privacy(section("privacy"), config.privacy);
    read_limits(section("limits"), config.limits);
    read_backup(section("backup"), config.backup);

    for (const auto& [key, node] : root) {
        static const std::map<std::string_view, bool> sections{
            {"database", true}, {"search", true},   {"rate_limits", true}, {"auth", true}, {"uploads", true},  {"http", true},
            {"log", true},      {"security", true}, {"mail", true},        {"push", true}, {"webhooks", true}, {"fetch", true},
            {"privacy", true},  {"limits", true},   {"backup", true},      {"copy", true}};
        if (!sections.contains(key.str()))
            throw ConfigError(path + ":" + std::to_string(node.source().begin.line) + ": " + std::string(key.str()) +
                              " is not a section; see tradepost.toml.example");
    }
    return config;
}

}  // namespace tradepost::core
