#include "core/config.h"

#define BOOST_TEST_DYN_LINK
#include <unistd.h>
#include <utime.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

using namespace tradepost::core;

namespace {

// A folder of configuration files that goes with the test.
class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "tradepost-config.XXXXXX").string();
        BOOST_REQUIRE(mkdtemp(name.data()));
        path_ = name;
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;

    std::string write(const std::string& name, std::string_view text) const {
        std::ofstream(path_ / name, std::ios::binary) << text;
        return (path_ / name).string();
    }
    std::string path(const std::string& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

Config load(std::string_view text) {
    const Folder folder;
    return load_config(folder.write("shop.toml", text));
}

// The error of a file, its folder left out; "accepted" when there is none.
std::string error_of(std::string_view text) {
    const Folder folder;
    const auto file = folder.write("shop.toml", text);
    std::string what;
    try {
        const auto config = load_config(file);
        what = config.mail.fault + config.push.fault;
        if (what.empty()) return "accepted";
    } catch (const ConfigError& error) {
        what = error.what();
    }
    BOOST_TEST(what.starts_with(file));
    return what.substr(file.size() - std::string("shop.toml").size());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(config)

BOOST_AUTO_TEST_CASE(every_setting_has_a_default) {
    const auto c = load("");
    BOOST_TEST(c.instance == "shop");
    BOOST_TEST(c.database.socket == "/run/mysqld/mysqld.sock");
    BOOST_TEST(c.database.name == "tradepost");
    BOOST_TEST(c.database.version_check.count() == 100);
    BOOST_TEST(c.database.max_connections == 7u);
    BOOST_TEST(c.database.idle.count() == 10);
    BOOST_TEST(c.database.connect_timeout.count() == 1);
    BOOST_TEST(c.database.answer_timeout.count() == 8);
    BOOST_TEST(c.database.lock_wait.count() == 250);
    BOOST_TEST(c.database.hangs_after.count() == 500);
    BOOST_TEST(c.connections_path() == "/run/tradepost/shop/shared/limits:connections");
    BOOST_TEST(c.counters_path() == "/run/tradepost/shop/shared/limits");
    BOOST_TEST(c.spool_socket() == "/run/tradepost/shop/spool/socket");
    BOOST_TEST(c.search.engine == "mysql");
    BOOST_TEST(c.search.timeout.count() == 1500);
    BOOST_TEST(c.search.connect_timeout.count() == 1);
    BOOST_TEST(c.search.socket == "");
    BOOST_TEST(c.search.host == "127.0.0.1");
    BOOST_TEST(c.search.port == 9306);
    BOOST_TEST(c.rate_limits.auth.requests == 8u);
    BOOST_TEST(c.rate_limits.auth.window.count() == 900);
    BOOST_TEST(c.rate_limits.auth_address.value().requests == 300u);
    BOOST_TEST(c.rate_limits.auth_address.value().window.count() == 900);
    BOOST_TEST(c.rate_limits.public_reads.requests == 60u);
    BOOST_TEST(c.rate_limits.public_reads.window.count() == 60);
    BOOST_TEST(c.rate_limits.write.requests == 120u);
    BOOST_TEST(c.rate_limits.write.window.count() == 60);
    BOOST_TEST(c.rate_limits.store == "shared-memory");
    BOOST_TEST(c.rate_limits.redis_connect_timeout.count() == 100);
    BOOST_TEST(c.rate_limits.redis_timeout.count() == 200);
    BOOST_TEST(c.rate_limits.lock_wait.count() == 500);
    BOOST_TEST(c.auth.argon2_memory_kib == 19456u);
    BOOST_TEST(c.auth.argon2_passes == 2u);
    BOOST_TEST(c.auth.longest_queue.count() == 3);
    BOOST_TEST(c.http.allowed_origins.empty());
    BOOST_TEST(c.http.remembered_bytes == 2097152u);
    BOOST_TEST(c.http.shared_cache.count() == 0);
    BOOST_TEST(c.rate_limits.count_not_modified);
    BOOST_TEST((c.log.level == log::Level::info));
}

// Others may write to a server that is reached over the network.
BOOST_AUTO_TEST_CASE(versions_are_asked_for_each_time_on_another_host) {
    const auto check = [](const std::string& text) { return load("[database]\n" + text).database.version_check.count(); };
    for (const char* near : {"", "socket = \"/s\"", "host = \"localhost\"", "host = \"127.0.0.1\"", "host = \"::1\""})
        BOOST_TEST(check(near) == 100, near);
    BOOST_TEST(check("host = \"db.example\"") == 0);
    BOOST_TEST(check("host = \"10.0.0.2\"") == 0);
    BOOST_TEST(check("host = \"db.example\"\nversion_check_ms = 100") == 100);
    BOOST_TEST(check("version_check_ms = 0") == 0);
}

BOOST_AUTO_TEST_CASE(every_setting_is_read) {
    const auto c = load(R"(
        [database]
        host = "db.example"
        port = 3307
        name = "n"
        user = "u"
        password = "p"
        tls_ca = "/ca.pem"
        version_check_ms = 0
        max_connections = 5
        idle_s = 3600
        connect_timeout_s = 60
        answer_timeout_s = 4
        lock_wait_ms = 5000
        hangs_after_ms = 100
        [search]
        engine = "mysql"
        timeout_ms = 100
        connect_timeout_s = 2
        [rate_limits]
        auth = "9/2h"
        auth_address = "10/1h"
        public = "1000000/10s"
        write = "1/24h"
        count_not_modified = false
        store = "redis"
        file = "/dev/shm/x"
        redis = "/run/redis.sock"
        redis_connect_timeout_ms = 10
        redis_timeout_ms = 60000
        lock_wait_ms = 11
        [auth]
        argon2_memory_kib = 8192
        argon2_passes = 1
        longest_queue_s = 60
        [uploads]
        directory = "/srv"
        spool_socket = "/run/spool"
        quota_bytes = 0
        [http]
        listen = ["127.0.0.1:8080"]
        behind_proxy = true
        metrics_from = ["192.0.2.7"]
        trusted_proxies = ["10.0.0.0/8", "::1", "fd00::/8"]
        allowed_origins = ["https://a.example"]
        base_url = "https://a.example//"
        deadline_s = 300
        share_wait_s = 60
        remembered_bytes = 0
        shared_cache = "5m"
        [log]
        level = "error"
        slow_ms = 1
    )");
    BOOST_TEST(c.http.shared_cache.count() == 300);
    BOOST_TEST(!c.rate_limits.count_not_modified);
    BOOST_TEST(c.database.socket == "");
    BOOST_TEST(c.database.host == "db.example");
    BOOST_TEST(c.database.port == 3307);
    BOOST_TEST(c.database.name == "n");
    BOOST_TEST(c.database.user == "u");
    BOOST_TEST(c.database.password == "p");
    BOOST_TEST(c.database.tls_ca == "/ca.pem");
    BOOST_TEST(c.database.version_check.count() == 0);
    BOOST_TEST(c.database.max_connections == 5u);
    BOOST_TEST(c.database.idle.count() == 3600);
    BOOST_TEST(c.database.connect_timeout.count() == 60);
    BOOST_TEST(c.database.answer_timeout.count() == 4);
    BOOST_TEST(c.database.lock_wait.count() == 5000);
    BOOST_TEST(c.database.hangs_after.count() == 100);
    BOOST_TEST(c.search.timeout.count() == 100);
    BOOST_TEST(c.search.connect_timeout.count() == 2);
    BOOST_TEST(c.rate_limits.redis_connect_timeout.count() == 10);
    BOOST_TEST(c.rate_limits.redis_timeout.count() == 60000);
    BOOST_TEST(c.rate_limits.lock_wait.count() == 11);
    BOOST_TEST(c.auth.longest_queue.count() == 60);
    BOOST_TEST(c.rate_limits.auth.requests == 9u);
    BOOST_TEST(c.rate_limits.auth.window.count() == 7200);
    BOOST_TEST(c.rate_limits.auth_address.value().requests == 10u);
    BOOST_TEST(c.rate_limits.auth_address.value().window.count() == 3600);
    BOOST_TEST(c.rate_limits.public_reads.requests == 1000000u);
    BOOST_TEST(c.rate_limits.public_reads.window.count() == 10);
    BOOST_TEST(c.rate_limits.write.window.count() == 86400);
    BOOST_TEST(c.rate_limits.store == "redis");
    BOOST_TEST(c.rate_limits.file == "/dev/shm/x");
    BOOST_TEST(c.counters_path() == "/dev/shm/x");
    BOOST_TEST(c.rate_limits.redis == std::vector<std::string>{"/run/redis.sock"});
    BOOST_TEST(c.auth.argon2_memory_kib == 8192u);
    BOOST_TEST(c.auth.argon2_passes == 1u);
    BOOST_TEST(c.uploads.directory == "/srv");
    BOOST_TEST(c.spool_socket() == "/run/spool");
    BOOST_TEST(c.uploads.quota_bytes == 0u);
    BOOST_TEST(c.http.listen == std::vector<std::string>{"127.0.0.1:8080"});
    BOOST_TEST(c.http.behind_proxy);
    BOOST_TEST(c.http.metrics_from == std::vector<std::string>{"192.0.2.7"});
    BOOST_TEST(c.http.trusted_proxies.size() == 3u);
    BOOST_TEST(c.http.allowed_origins.at(0) == "https://a.example");
    BOOST_TEST(c.http.base_url == "https://a.example");
    BOOST_TEST(c.http.deadline.count() == 300);
    BOOST_TEST(c.http.share_wait.count() == 60);
    BOOST_TEST((c.log.level == log::Level::error));
    BOOST_TEST(c.log.slow.count() == 1);
}

BOOST_AUTO_TEST_CASE(levels) {
    BOOST_TEST((load("[log]\nlevel = \"debug\"").log.level == log::Level::debug));
    BOOST_TEST((load("[log]\nlevel = \"warning\"").log.level == log::Level::warning));
}

BOOST_AUTO_TEST_CASE(unknown_keys_and_sections_are_errors_with_file_line_and_key) {
    BOOST_TEST(error_of("[database]\nname = \"x\"\npasword = \"x\"\n") ==
               "shop.toml:3: database.pasword is not a setting; see tradepost.toml.example");
    BOOST_TEST(error_of("\n[databse]\nname = \"x\"\n") == "shop.toml:2: databse is not a section; see tradepost.toml.example");
    BOOST_TEST(error_of("port = 1\n") == "shop.toml:1: port is not a section; see tradepost.toml.example");
    BOOST_TEST(error_of("[log]\n[log.more]\nx = 1") == "shop.toml:2: log.more is not a setting; see tradepost.toml.example");
    for (const std::string section : {"search", "rate_limits", "auth", "uploads", "http", "log"})
        BOOST_TEST(error_of("[" + section + "]\nx = 1") ==
                   "shop.toml:2: " + section + ".x is not a setting; see tradepost.toml.example");
}

BOOST_AUTO_TEST_CASE(wrong_types_are_errors_with_file_line_and_key) {
    BOOST_TEST(error_of("[database]\nname = 5") == "shop.toml:2: database.name must be a string");
    BOOST_TEST(error_of("[database]\nport = \"3306\"") == "shop.toml:2: database.port must be a whole number");
    BOOST_TEST(error_of("[database]\nport = 3306.0") == "shop.toml:2: database.port must be a whole number");
    BOOST_TEST(error_of("[database]\nport = true") == "shop.toml:2: database.port must be a whole number");
    BOOST_TEST(error_of("[http]\nallowed_origins = \"https://a\"") ==
               "shop.toml:2: http.allowed_origins must be a list of strings");
    BOOST_TEST(error_of("[http]\nallowed_origins = [\n\"https://a\",\n7]") ==
               "shop.toml:4: http.allowed_origins must be a list of strings");
    BOOST_TEST(error_of("[rate_limits]\nauth = 8") == "shop.toml:2: rate_limits.auth must be a string like \"60/1m\"");
    BOOST_TEST(error_of("database = 5") == "shop.toml:1: database must be a section: [database]");
    BOOST_TEST(error_of("[[database]]\nname = \"x\"").starts_with("shop.toml:1: database must be a section"));
}

BOOST_AUTO_TEST_CASE(values_out_of_their_bounds_are_errors) {
    BOOST_TEST(error_of("[database]\nport = 0") == "shop.toml:2: database.port must be between 1 and 65535");
    BOOST_TEST(error_of("[database]\nport = 65536") == "shop.toml:2: database.port must be between 1 and 65535");
    BOOST_TEST(error_of("[database]\nport = -1") == "shop.toml:2: database.port must be between 1 and 65535");
    BOOST_TEST(error_of("[http]\ndeadline_s = 0") == "shop.toml:2: http.deadline_s must be between 1 and 300");
    BOOST_TEST(error_of("[http]\nshare_wait_s = 61") == "shop.toml:2: http.share_wait_s must be between 1 and 60");
    BOOST_TEST(error_of("[database]\nanswer_timeout_s = 3") == "shop.toml:2: database.answer_timeout_s must be between 4 and 60");
    BOOST_TEST(error_of("[database]\nlock_wait_ms = 5001") == "shop.toml:2: database.lock_wait_ms must be between 50 and 5000");
    BOOST_TEST(error_of("[database]\nhangs_after_ms = 99") ==
               "shop.toml:2: database.hangs_after_ms must be between 100 and 5000");
    BOOST_TEST(error_of("[auth]\nlongest_queue_s = 0") == "shop.toml:2: auth.longest_queue_s must be between 1 and 60");
    const auto searched = load("[search]\nengine = \"sphinx\"\nsocket = \"/run/s\"").search;
    BOOST_TEST(searched.is_sphinx());
    BOOST_TEST(searched.socket == "/run/s");
    BOOST_TEST(error_of("[search]\nsocket = \"/run/s\"\nhost = \"s\"") ==
               "shop.toml:3: search.host and socket are both set; keep one");
    BOOST_TEST(error_of("[search]\nport = 0").starts_with("shop.toml:2: search.port must be "));
    BOOST_TEST(error_of("[search]\nengine = \"solr\"").starts_with("shop.toml:2: search.engine must be \"mysql\""));
    BOOST_TEST(error_of("[log]\nlevel = \"loud\"") ==
               "shop.toml:2: log.level must be \"debug\" or \"info\" or \"warning\" or \"error\"");
    BOOST_TEST(error_of("[rate_limits]\nstore = \"disk\"") ==
               "shop.toml:2: rate_limits.store must be \"shared-memory\" or \"redis\"");
}

BOOST_AUTO_TEST_CASE(rates_are_requests_in_a_window) {
    for (const std::string rate : {"",
                                   "60",
                                   "60/",
                                   "/1m",
                                   "60/m",
                                   "60/1",
                                   "60/1d",
                                   "60/1M",
                                   "0/1m",
                                   "60/0m",
                                   "-1/1m",
                                   "60/-1m",
                                   " 60/1m",
                                   "60/1m ",
                                   "60 /1m",
                                   "60/1mm",
                                   "60/1m1",
                                   "60/25h",
                                   "60/86401s",
                                   "1234567890/1m",
                                   "6.5/1m",
                                   "60/1m/1m",
                                   "+60/1m",
                                   "60//1m",
                                   "99999999999999999999/1m",
                                   "60/99999999999999999999s",
                                   "60/1m\\u0000",
                                   "6\\u00600/1m"})
        BOOST_TEST(error_of("[rate_limits]\n\npublic = \"" + rate + "\"") ==
                       "shop.toml:3: rate_limits.public must be REQUESTS/WINDOW, such as \"60/1m\" (s, m, h; at most a day)",
                   rate);
    for (const std::string rate : {"1/1s", "999999999/86400s", "60/1440m", "60/24h", "007/01m"})
        BOOST_TEST(error_of("[rate_limits]\npublic = \"" + rate + "\"") == "accepted", rate);
}

BOOST_AUTO_TEST_CASE(the_limit_of_an_address_can_be_switched_off) {
    BOOST_TEST(!load("[rate_limits]\nauth_address = \"0\"").rate_limits.auth_address);
    BOOST_TEST(error_of("[rate_limits]\nauth = \"0\"") ==
               "shop.toml:2: rate_limits.auth must be REQUESTS/WINDOW, such as \"60/1m\" (s, m, h; at most a day)");
    BOOST_TEST(error_of("[rate_limits]\nauth_address = 0") ==
               "shop.toml:2: rate_limits.auth_address must be a string like \"60/1m\"");
}

BOOST_AUTO_TEST_CASE(a_password_may_stand_in_a_file_of_its_own) {
    const Folder folder;
    folder.write("secret", "s3cret with space \n");
    const auto file = folder.write("shop.toml", "[database]\npassword_file = \"secret\"\n");
    BOOST_TEST(load_config(file).database.password == "s3cret with space ");
    const auto absolute = folder.write("other.toml", "[database]\npassword_file = \"" + folder.path("secret") + "\"\n");
    BOOST_TEST(load_config(absolute).database.password == "s3cret with space ");
    folder.write("secret", "no end of line");
    BOOST_TEST(load_config(file).database.password == "no end of line");
}

BOOST_AUTO_TEST_CASE(a_password_file_is_looked_for_among_systemd_s_credentials_first) {
    const Folder folder, credentials;
    const auto file = folder.write("shop.toml", "[database]\npassword_file = \"secret\"\n");
    folder.write("secret", "of the folder");
    setenv("CREDENTIALS_DIRECTORY", credentials.path(".").c_str(), 1);
    BOOST_TEST(load_config(file).database.password == "of the folder");
    credentials.write("secret", "of systemd");
    BOOST_TEST(load_config(file).database.password == "of systemd");
    unsetenv("CREDENTIALS_DIRECTORY");
    BOOST_TEST(load_config(file).database.password == "of the folder");
}

BOOST_AUTO_TEST_CASE(a_password_file_that_is_not_there_or_empty_is_an_error_with_its_name) {
    const Folder folder;
    const auto file = folder.write("shop.toml", "[database]\npassword_file = \"secret\"\n");
    const auto names_it = [&](const ConfigError& error) {
        const std::string what = error.what();
        return what.starts_with(folder.path("secret") + ":") && what.find("database.password_file") != std::string::npos;
    };
    BOOST_CHECK_EXCEPTION(load_config(file), ConfigError, names_it);
    for (const char* empty : {"", "\n", "\r\n", "\nsecond line\n"}) {
        folder.write("secret", empty);
        BOOST_CHECK_EXCEPTION(load_config(file), ConfigError, names_it);
    }
    folder.write("secret", "first line\r\nsecond line\r\n");
    BOOST_TEST(load_config(file).database.password == "first line");
}

BOOST_AUTO_TEST_CASE(settings_that_exclude_each_other) {
    BOOST_TEST(error_of("[database]\npassword = \"a\"\npassword_file = \"b\"") ==
               "shop.toml:3: database.password_file and password are both set; keep one");
    BOOST_TEST(error_of("[database]\nsocket = \"/a\"\nhost = \"b\"") ==
               "shop.toml:3: database.host and socket are both set; keep one");
}

BOOST_AUTO_TEST_CASE(stores_of_counters) {
    using Servers = std::vector<std::string>;
    BOOST_TEST(load("").rate_limits.redis == Servers{"127.0.0.1:6379"});
    BOOST_TEST(load("[rate_limits]\nredis = \"cache:1\"").rate_limits.redis == Servers{"cache:1"});
    const Servers two{"cache1", "cache2:6380"};
    BOOST_TEST(load("[rate_limits]\nredis = [\"cache1\", \"cache2:6380\"]").rate_limits.redis == two);
    BOOST_TEST(error_of("[rate_limits]\nredis = []") == "shop.toml:2: rate_limits.redis must name at least one server");
    BOOST_TEST(error_of("[rate_limits]\nredis = 6379") == "shop.toml:2: rate_limits.redis must be a list of strings");
    BOOST_TEST(error_of("[rate_limits]\nredis = [\"a\", \"/run/b\"]\nredis_tls = true") ==
               "shop.toml:3: rate_limits.redis_tls is for HOST:PORT in redis, not for a Unix socket");
}

BOOST_AUTO_TEST_CASE(hosts_of_a_cluster) {
    const auto database = load("[database]\nhosts = [\"db1\", \"db2:3307\", \"[fd00::3]:3308\"]").database;
    BOOST_REQUIRE_EQUAL(database.hosts.size(), 3U);
    BOOST_TEST(database.hosts[0].host == "db1");
    BOOST_TEST(database.hosts[0].port == 3306);
    BOOST_TEST(database.hosts[1].host == "db2");
    BOOST_TEST(database.hosts[1].port == 3307);
    BOOST_TEST(database.hosts[2].host == "fd00::3");
    BOOST_TEST(database.hosts[2].port == 3308);
    BOOST_TEST(!database.reads_locally);
    // Other hosts write, too.
    BOOST_TEST(database.version_check.count() == 0);

    const auto local = load("[database]\nhosts = [\"db1\"]\nreads = \"local\"").database;
    BOOST_TEST(local.reads_locally);
    BOOST_TEST(local.socket == "/run/mysqld/mysqld.sock");
    BOOST_TEST(load("[database]\nhosts = [\"db1\"]\nreads = \"local\"\nhost = \"127.0.0.1\"").database.host == "127.0.0.1");

    for (const auto* bad :
         {"[]", "[\"\"]", "[\"db:\"]", "[\"db:0\"]", "[\"db:65536\"]", "[\"db:1x\"]", "[\"[::1\"]", "[\"[::1]3306\"]"})
        BOOST_TEST(error_of(std::string("[database]\nhosts = ") + bad).starts_with("shop.toml:2: database.hosts must name "),
                   bad);
    BOOST_TEST(
        error_of("[database]\nhosts = [\"a\"]\nhost = \"b\"") ==
        "shop.toml:3: database.host and hosts are both set; beside hosts it names this host's own node, for reads = \"local\"");
    BOOST_TEST(error_of("[database]\nreads = \"local\"") == "shop.toml:2: database.reads = \"local\" needs hosts");
    BOOST_TEST(error_of("[database]\nhosts = [\"a\"]\nreads = \"any\"") ==
               "shop.toml:3: database.reads must be \"primary\" or \"local\"");
}

BOOST_AUTO_TEST_CASE(syntax_errors_name_file_and_line) {
    BOOST_TEST(error_of("[database]\nname = \n").starts_with("shop.toml:2: "));
    BOOST_TEST(error_of("[database\n").starts_with("shop.toml:1: "));
    BOOST_TEST(error_of("[log]\nlevel = \"info\"\nlevel = \"info\"\n").starts_with("shop.toml:3: "));
    BOOST_TEST(error_of("[log]\nlevel = \"\xFF\"\n").starts_with("shop.toml:2: "));
    BOOST_TEST(error_of(std::string(5000, '[')).starts_with("shop.toml:1: "));
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_is_an_error_with_its_name) {
    const Folder folder;
    const auto names = [](const std::string& path) {
        return [path](const ConfigError& error) { return std::string(error.what()).starts_with(path + ": "); };
    };
    BOOST_CHECK_EXCEPTION(load_config(folder.path("none.toml")), ConfigError, names(folder.path("none.toml")));
    BOOST_CHECK_EXCEPTION(load_config(folder.path("")), ConfigError, names(folder.path("")));
}

BOOST_AUTO_TEST_CASE(the_path_is_kept_whole) {
    const Folder folder;
    const auto file = folder.write("north.east.toml", "");
    const auto config = load_config(file);
    BOOST_TEST(config.instance == "north.east");
    BOOST_TEST(config.path == file);
}

BOOST_AUTO_TEST_CASE(contacts_for_reports_are_uris_of_one_line) {
    BOOST_TEST(load("").security.contact.empty());
    BOOST_TEST(error_of("[security]\ncontact = [\"mailto:a@b.example\", \"https://b.example/report\", \"tel:+1-201-555-0123\"]\n"
                        "policy = \"https://b.example/policy\"\nencryption = \"\"\n") == "accepted");
    const std::string why = " must be https://…, mailto:… or tel:…";
    for (const std::string bad :
         {"", "a@b.example", "http://b.example", "mailto:a@b.example\\nContact: x", "mailto:a b", "https://é"})
        BOOST_TEST(error_of("[security]\ncontact = [\"" + bad + "\"]\n") == "shop.toml:2: security.contact" + why);
    BOOST_TEST(error_of("[security]\n\npolicy = \"http://b.example\"\n") == "shop.toml:3: security.policy" + why);
    BOOST_TEST(error_of("[security]\nencryption = \"x\"\n") == "shop.toml:2: security.encryption" + why);
}

BOOST_AUTO_TEST_CASE(access_to_redis) {
    const Folder folder;
    folder.write("redis.password", "secret word\nmore\n");
    const auto load_with = [&](const std::string& text) {
        return load_config(folder.write("shop.toml", "[rate_limits]\n" + text));
    };
    const auto limits = load_with(
                            "redis = \"redis.example:6380\"\nredis_user = \"shop\"\nredis_password_file = \"redis.password\"\n"
                            "redis_tls = true\nredis_tls_ca = \"/etc/ca.pem\"\n")
                            .rate_limits;
    BOOST_TEST(limits.redis_user == "shop");
    BOOST_TEST(limits.redis_password == "secret word");
    BOOST_TEST(limits.redis_tls);
    BOOST_TEST(limits.redis_tls_ca == "/etc/ca.pem");
    BOOST_TEST(!load("").rate_limits.redis_tls);

    const auto error = [&](const std::string& text) { return error_of("[rate_limits]\n" + text); };
    BOOST_TEST(error("redis_tls = 1\n") == "shop.toml:2: rate_limits.redis_tls must be true or false");
    BOOST_TEST(error("redis_user = \"shop\"\n") == "shop.toml:2: rate_limits.redis_user needs redis_password_file");
    BOOST_TEST(error("redis_tls_ca = \"/etc/ca.pem\"\n") == "shop.toml:2: rate_limits.redis_tls_ca needs redis_tls = true");
    BOOST_TEST(error("redis = \"/run/redis.sock\"\nredis_tls = true\n") ==
               "shop.toml:3: rate_limits.redis_tls is for HOST:PORT in redis, not for a Unix socket");
    BOOST_CHECK_EXCEPTION(load_with("redis_password_file = \"missing\"\n"), ConfigError, [&](const ConfigError& failure) {
        return failure.what() ==
               folder.path("missing") +
                   ": cannot be read, or its first line is empty; it is named as rate_limits.redis_password_file";
    });
}

BOOST_AUTO_TEST_CASE(limits_of_organisations_and_users) {
    const auto old = load("[log]\nlevel = \"info\"\n").limits;  // a file of before
    BOOST_TEST(old.organisation_members == 500u);
    BOOST_TEST(old.organisation_stock == 200'000u);
    BOOST_TEST(old.user_idempotency_bytes == 64u << 20);
    std::string text = "[limits]\n";
    std::uint64_t number = 7;
    for (const auto& [key, value] : limit_settings) text += std::string(key) + " = " + std::to_string(number++) + "\n";
    const auto set = load(text).limits;
    number = 7;
    for (const auto& [key, value] : limit_settings) {
        const auto got = set.*value;
        BOOST_TEST(got == number++, key);
    }
    BOOST_TEST(set.organisation_members == 7u);
    BOOST_TEST(set.user_idempotency_bytes == number - 1);
    for (const char* wrong : {"0", "-1", "1125899906842625"})
        BOOST_TEST(error_of(std::string("[limits]\norganisation_jobs = ") + wrong + "\n") ==
                       "shop.toml:2: limits.organisation_jobs must be between 1 and 1125899906842624",
                   wrong);
    BOOST_TEST(error_of("[limits]\norganisation_jobs = \"many\"\n") ==
               "shop.toml:2: limits.organisation_jobs must be a whole number");
    BOOST_TEST(error_of("[limits]\norganisation_cars = 1\n") ==
               "shop.toml:2: limits.organisation_cars is not a setting; see tradepost.toml.example");
}

BOOST_AUTO_TEST_CASE(privacy) {
    const auto before = [](const std::string& retention, const char* now) {
        const Folder folder;
        const auto c = load_config(folder.write("shop.toml", "[privacy]\nenquiry_retention = \"" + retention + "\"\n"));
        return to_rfc3339(c.privacy.enquiry_retention.value().before(parse_rfc3339(now).value()));
    };
    BOOST_TEST(before("30 days", "2026-03-01T09:30:00Z") == "2026-01-30T09:30:00.000Z");
    BOOST_TEST(before("1 month", "2026-03-31T09:30:00Z") == "2026-02-28T09:30:00.000Z");
    BOOST_TEST(before("24 months", "2026-02-28T23:59:59Z") == "2024-02-28T23:59:59.000Z");
    BOOST_TEST(before("1 year", "2024-02-29T00:00:00Z") == "2023-02-28T00:00:00.000Z");
    const Folder folder;
    BOOST_TEST(!load_config(folder.write("shop.toml", "[privacy]\n")).privacy.enquiry_retention);
    const std::string what =
        "shop.toml:2: privacy.enquiry_retention must be a number of days, months or years, such as \"24 months\", at "
        "most 10 years";
    for (const char* wrong : {"", "24", "months", "0 months", "-1 months", "024 months", "24 month", "1 months", "24 Months",
                              "24  months", "24 months ", "2 weeks", "121 months", "3651 days", "99999999999999999999 days"})
        BOOST_TEST(error_of(std::string("[privacy]\nenquiry_retention = \"") + wrong + "\"\n") == what, wrong);
    BOOST_TEST(error_of("[privacy]\nenquiry_retention = 24\n") == "shop.toml:2: privacy.enquiry_retention must be a string");
    BOOST_TEST(error_of("[privacy]\nenquiries = \"1 day\"\n") ==
               "shop.toml:2: privacy.enquiries is not a setting; see tradepost.toml.example");
}

BOOST_AUTO_TEST_CASE(backup) {
    BOOST_TEST(!load("[backup]\n").backup.is_configured());
    const auto c =
        load("[backup]\ndirectory = \"/backups\"\nkeep = 14\nencrypt_to = \"age1x\"\nidentity = \"/etc/key\"\n").backup;
    BOOST_TEST(c.is_configured());
    BOOST_TEST(c.directory == "/backups");
    BOOST_TEST(c.keep == 14u);
    BOOST_TEST(c.encrypt_to == "age1x");
    BOOST_TEST(c.identity == "/etc/key");
    const auto check = [](const std::string& lines, const std::string& error) {
        BOOST_TEST(error_of("[backup]\n" + lines) == "shop.toml:" + error, lines);
    };
    check("directory = \"backups\"", "2: backup.directory must be an absolute path");
    check("directory = 1", "2: backup.directory must be a string");
    check("directory = \"/b\"\nkeep = 0", "3: backup.keep must be between 1 and 9999");
    check("directory = \"/b\"\nkeep = \"14\"", "3: backup.keep must be a whole number");
    check("directory = \"/b\"\nencrypt_to = \"x\"\nidentity = \"key\"", "4: backup.identity must be an absolute path");
    check("directory = \"/b\"\nidentity = \"/key\"", "3: backup.identity needs encrypt_to");
    for (const std::string line : {"keep = 3", "encrypt_to = \"x\"", "identity = \"/key\""})
        check(line, "2: backup." + line.substr(0, line.find(' ')) + " needs directory");
    check("dir = \"/b\"", "2: backup.dir is not a setting; see tradepost.toml.example");
}

BOOST_AUTO_TEST_CASE(when_something_was_last_done) {
    const Folder folder;
    const auto c = load_config(folder.write("shop.toml", ""));
    BOOST_TEST(!c.last_done("backed-up"));
    const utimbuf times{.actime = 0, .modtime = 1769850900};
    BOOST_REQUIRE(utime(folder.write("shop.backed-up", "").c_str(), &times) == 0);
    BOOST_TEST(to_rfc3339(c.last_done("backed-up").value()) == "2026-01-31T09:15:00.000Z");
    BOOST_TEST(!c.last_done("rehearsed"));
}

BOOST_AUTO_TEST_CASE(mail) {
    BOOST_TEST(!Config().mail.is_configured());
    const Folder folder;
    folder.write("secret", "s3cret\n");
    const auto c = load_config(folder.write("shop.toml", R"(
        [mail]
        smtp = "smtp://mail.example"
        from = "Shop <shop@a.example>"
        user = "u"
        password_file = "secret"
        tls_ca = "/ca.pem"
    )"))
                       .mail;
    BOOST_TEST(c.is_configured());
    BOOST_TEST(c.smtp == "smtp://mail.example:587");
    BOOST_TEST(c.from == "Shop <shop@a.example>");
    BOOST_TEST(c.user == "u");
    BOOST_TEST(mail_password(c) == "s3cret");
    MailConfig without;
    without.password_file = folder.path("none");
    BOOST_CHECK_THROW((void)mail_password(without), ConfigError);
    BOOST_TEST(c.tls);
    BOOST_TEST(c.tls_ca == "/ca.pem");
    const auto with = [](const std::string& text) {
        const Folder other;
        return load_config(other.write("shop.toml", "[mail]\nfrom = \"a@b.example\"\n" + text)).mail;
    };
    BOOST_TEST(with("smtp = \"smtps://[2001:db8::1]\"").smtp == "smtps://[2001:db8::1]:465");
    BOOST_TEST(!with("smtp = \"smtp://localhost:2525\"").tls);
    BOOST_TEST(with("smtp = \"smtps://localhost\"").tls);
    BOOST_TEST(with("smtp = \"smtp://127.0.0.1\"\ntls = \"required\"").tls);
}

BOOST_AUTO_TEST_CASE(mail_that_would_not_be_sent_as_meant_is_refused) {
    const auto error = [](const std::string& text) { return error_of("[mail]\n" + text); };
    BOOST_TEST(error("from = \"a@b.example\"") == "shop.toml:2: mail.from needs smtp");
    BOOST_TEST(error("smtp = \"mail.example\"") ==
               "shop.toml:2: mail.smtp must be \"smtp://HOST\", \"smtps://HOST\", or one of them with a port");
    BOOST_TEST(error("smtp = \"smtp://mail.example\"") ==
               "shop.toml:2: mail.from must be set beside smtp, as \"Name <address>\"");
    for (const std::string good :
         {"post@trade.test", "<a@b.example>", "Name <a@b.example>", "Größe & Söhne <a@b.example>", "a@sub.b.example"})
        BOOST_TEST(error("smtp = \"smtp://mail.example\"\nuser = \"u\"\nfrom = \"" + good + "\"") ==
                       "shop.toml:3: mail.user needs password_file",
                   good);  // the fault that is looked for after those of `from`
    for (const std::string bad :
         {"", "post", "Trade Post", "Tradepost a@b.example", "a@b.example, c@d.example", "a@b.example c@d.example",
          "Name <a@b.example>, <c@d.example>", "Name <a@b.example", "Name <>", "a@b", "Name <a@b>", "a@localhost",
          "a@shop.localhost", "a@127.0.0.1", "a@b.example.", "a@.example", "a b@c.example", "a@b.example\\nX: y"})
        BOOST_TEST(error("smtp = \"smtp://mail.example\"\nfrom = \"" + bad + "\"") ==
                       "shop.toml:3: mail.from must be one address, as \"post@your.example\" or \"Name <post@your.example>\"",
                   bad);
    // A server on this host may know names that others do not.
    BOOST_TEST(error("smtp = \"smtp://localhost\"\nfrom = \"post@localhost\"") == "accepted");
    BOOST_TEST(error("smtp = \"smtp://mail.example\"\nfrom = \"a@b.example\"\ntls = \"none\"") ==
               "shop.toml:4: mail.tls = \"none\" is for a server on this host");
    BOOST_TEST(error("smtp = \"smtps://localhost\"\nfrom = \"a@b.example\"\ntls = \"none\"") ==
               "shop.toml:4: mail.tls = \"none\" is for smtp://");
    BOOST_TEST(error("smtp = \"smtp://mail.example\"\nfrom = \"a@b.example\"\nuser = \"u\"") ==
               "shop.toml:4: mail.user needs password_file");
    BOOST_TEST(error("smtp = \"smtp://mail.example\"\nfrom = \"a@b.example\"\npassword_file = \"x\"") ==
               "shop.toml:4: mail.password_file needs user");
}

BOOST_AUTO_TEST_CASE(push) {
    const std::string key = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    BOOST_TEST(Config().push.public_key.empty());
    const Folder folder;
    folder.write("key", "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94\n");
    folder.write("secret", "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz\n");
    folder.write("short", "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=\n");
    const auto c = load_config(folder.write("shop.toml", "[push]\npublic_key = \"" + key + R"("
        private_key_file = "key"
        contact = "mailto:ops@shop.example"
        relay_url = "http://localhost:9/push"
        relay_secret_file = "secret"
        allow_networks = ["10.0.0.0/8"]
        tls_ca = "/ca.pem"
    )"))
                       .push;
    BOOST_TEST(c.public_key == key);
    BOOST_TEST(push_private_key(c).size() == 32u);
    BOOST_TEST(c.contact == "mailto:ops@shop.example");
    BOOST_TEST(c.relay_url == "http://localhost:9/push");
    BOOST_TEST(relay_secret(c) == "012345678901234567890123");
    BOOST_TEST(c.allow_networks == std::vector<std::string>{"10.0.0.0/8"}, boost::test_tools::per_element());
    BOOST_TEST(c.tls_ca == "/ca.pem");
    PushConfig other;
    for (const auto* name : {"none", "secret"}) {
        other.private_key_file = folder.path(name);
        BOOST_CHECK_THROW((void)push_private_key(other), ConfigError);
    }
    for (const auto* name : {"none", "key", "short"}) {
        other.relay_secret_file = folder.path(name);
        BOOST_CHECK_THROW((void)relay_secret(other), ConfigError);
    }

    const auto error = [](const std::string& text) { return error_of("[push]\n" + text); };
    const std::string browsers = "public_key = \"" + key + "\"\n";
    BOOST_TEST(error("public_key = \"BCVx\"") == "shop.toml:2: push.public_key must be what tradepostctl push key prints");
    BOOST_TEST(error(browsers) == "shop.toml:2: push.public_key needs private_key_file");
    const auto of_contact = [&](const std::string& contact) {
        return error(browsers + "private_key_file = \"key\"\ncontact = \"" + contact + "\"");
    };
    const auto missing = "shop.toml:2: push.public_key needs contact, as \"mailto:ADDRESS\" or \"https://…\"";
    BOOST_TEST(error(browsers + "private_key_file = \"key\"\n") == missing);
    BOOST_TEST(of_contact("") == missing);
    for (const auto* good : {"mailto:ops@shop.example", "mailto:ops@shop.example?subject=push", "https://shop.example",
                             "https://shop.example:8443/contact?a=b#c", "https://203.0.113.9/", "https://[2001:db8::1]/"})
        BOOST_TEST(of_contact(good) == "accepted", good);
    for (const auto* bad :
         {"ops@shop.example", "http://shop.example", "mailto:", "mailto:ops", "mailto:ops@localhost", "mailto:ops@shop",
          "mailto:a@b.example,c@d.example", "mailto:Ops <a@b.example>", "mailto:a@b.example\\n", "https://", "https:///contact",
          "https://localhost/", "https://shop.localhost", "https://shop/", "https://127.0.0.1/", "https://[::1]/",
          "https://shop.example:x/", "https://shop .example", "https://a@/"})
        BOOST_TEST(of_contact(bad) ==
                       "shop.toml:4: push.contact must be \"mailto:ADDRESS\" or \"https://…\", where others than this host can "
                       "reach you",
                   bad);
    BOOST_TEST(error("private_key_file = \"key\"") == "shop.toml:2: push.private_key_file needs public_key");
    BOOST_TEST(error("relay_url = \"https://relay.example\"") == "shop.toml:2: push.relay_url needs relay_secret_file");
    for (const std::string url :
         {"relay.example", "http://", "http://relay.example/", "http://10.0.0.1/", "http://localhost.example", "http:localhost"})
        BOOST_TEST(error("relay_secret_file = \"s\"\nrelay_url = \"" + url + "\"") ==
                   "shop.toml:3: push.relay_url must be https://…, or http://… on this host");
}

BOOST_AUTO_TEST_SUITE_END()
