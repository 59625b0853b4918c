// tradepostctl doctor names each fault of database, schema, clocks and disk that is planted here, and nothing else.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>

#include "e2e/doctor_checks.h"

using namespace tradepost::test;

namespace {

namespace fs = std::filesystem;

bool not_root(const char* test, const char* why) {
    if (geteuid() == 0) return false;
    std::cerr << "SKIPPED doctor/" << test << ": " << why << "\n";
    return true;
}

// As the database's administrator, whom the application's user is not.
void administer(const std::string& sql) {
    const auto name = run_command({"id", "-un"}).out;
    const auto& instance = fault_injection_stack();
    const auto done = run_command({instance.database(), "--no-defaults", "--socket=" + instance.config().database.socket,
                                   "--user=" + name.substr(0, name.size() - 1), "tradepost", "--execute", sql});
    BOOST_REQUIRE_MESSAGE(done.code == 0, done.err);
}

int migrations() {
    return int(std::count_if(fs::directory_iterator("sql"), fs::directory_iterator(),
                             [](const auto& entry) { return entry.path().extension() == ".sql"; }));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(doctor_faults)

BOOST_AUTO_TEST_CASE(a_healthy_instance) {
    const auto done = doctor();
    BOOST_TEST(done.code == 0);
    BOOST_TEST(complaints(done) == Lines(), boost::test_tools::per_element());
    for (const auto* line :
         {"ok   socket ", "ok   Authorization reaches the workers\n", "ok   clients' addresses reach the workers\n",
          "ok   nobody can forge an address\n", "ok   12 MiB may be sent to /api/v1/uploads\n",
          "ok   50 MiB may be sent with a ticket\n", "ok   uploads can be stored in ",
          "ok   nginx has connections for more than one client\n", "ok   nginx may open files for its connections\n",
          "ok   clocks of this host and the database agree\n", "ok   database takes writes\n",
          "ok   certificate of https://localhost:", "ok   nginx answers at https://localhost:"})
        BOOST_TEST(done.out.find(line) != std::string::npos, line);
    const auto document = nlohmann::json::parse(fault_injection_stack().ctl({"--json", "doctor"}).out);
    BOOST_TEST(std::all_of(document.begin(), document.end(), [](const auto& check) { return check["ok"] == true; }));
}

// The stack's nginx knows nothing of these files, which are those of tradepost-instance.
BOOST_AUTO_TEST_CASE(a_closed_instance) {
    for (const auto& [mark, what] : {std::pair("maintenance", "in maintenance"), std::pair("read-only", "read-only")}) {
        const auto file = in_state(std::string("tradepost.") + mark);
        std::ofstream{file};
        check_complaints({std::string("WARN the instance is ") + what + ": tradepost-instance " + mark +
                          " tradepost off ends that; nginx was not checked"});
        fs::remove(file);
    }
}

// The time of a mark is that of what was done.
BOOST_AUTO_TEST_CASE(an_instance_that_is_not_backed_up) {
    const std::string unit = "tradepost-backup@tradepost", rehearsal = "tradepost-rehearse@tradepost";
    Changed settings("tradepost.toml");
    settings.replace("[database]\n", "[backup]\ndirectory = \"/backups\"\n[database]\n");
    check_complaints({"WARN the instance was never backed up: set directory of [backup], and systemctl enable --now " + unit +
                      ".timer, or run tradepost-instance backup (OPERATORS.md, \"Backup and restore\")"});
    const auto touch = [](const std::string& mark, const char* time) {
        BOOST_REQUIRE(run_command({"touch", "--date", time, in_state("tradepost." + mark)}).code == 0);
    };
    touch("backed-up", "47 hours ago");
    check_complaints(
        {"WARN no backup was ever rehearsed: systemctl start " + rehearsal + " restores one to try it, and removes that again"});
    touch("rehearsed", "47 hours ago");
    check_complaints({});
    const auto icinga = doctor({"--icinga"}).out;
    BOOST_TEST(std::regex_search(icinga, std::regex(" backup_age=1692\\d\\ds;;172800;0 rehearsal_age=1692\\d\\ds;;172800;0")),
               icinga);
    touch("backed-up", "2026-01-31T09:15:00Z");
    touch("rehearsed", "2026-01-30T09:15:00Z");
    const auto old = [](const std::string& by) {
        return ".000Z: it is older than two days: journalctl -u " + by + " tells why; then systemctl start " + by;
    };
    check_complaints({"FAIL last backup at 2026-01-31T09:15:00" + old(unit),
                      "FAIL last rehearsal of a backup at 2026-01-30T09:15:00" + old(rehearsal)});
    settings.replace("directory = \"/backups\"\n", "");
    check_complaints({});
    for (const char* mark : {"backed-up", "rehearsed"}) fs::remove(in_state(std::string("tradepost.") + mark));
}

BOOST_AUTO_TEST_CASE(a_wrong_password) {
    Changed settings("tradepost.toml");
    settings.replace("password = \"", "password = \"x");
    check_complaints({"FAIL database answers: the database refuses the sign-in: correct user and password of [database] in " +
                      in_state("tradepost.toml") +
                      ": Access denied for user 'tradepost'@'localhost' (using password: YES) (1045): connect to unix://" +
                      fault_injection_stack().config().database.socket});
}

BOOST_AUTO_TEST_CASE(a_schema_that_is_too_old) {
    const auto last = std::to_string(migrations());
    administer("CREATE TABLE kept LIKE schema_migrations; INSERT INTO kept SELECT * FROM schema_migrations WHERE number = " +
               last + "; DELETE FROM schema_migrations WHERE number = " + last);
    check_complaints({"FAIL schema " + std::to_string(migrations() - 1) + " of " + last + ": run tradepostctl migrate"});
    administer("INSERT INTO schema_migrations SELECT * FROM kept; DROP TABLE kept");
}

BOOST_AUTO_TEST_CASE(a_schema_that_is_too_new) {
    const auto next = std::to_string(migrations() + 1);
    administer("INSERT INTO schema_migrations VALUES (" + next + ", '" + next + "_next.sql', REPEAT('0', 64), NOW())");
    check_complaints({"FAIL schema " + next + " of " + std::to_string(migrations()) +
                      ": it is newer than this program: run the version that made it, or a later one"});
    administer("DELETE FROM schema_migrations WHERE number = " + next);
}

BOOST_AUTO_TEST_CASE(more_connections_than_the_server_has) {
    const auto one = doctor();
    BOOST_TEST(one.out.find("ok   1 instance of this host may open 7 of 120 connections of the database server\n") !=
               std::string::npos);
    const auto second = in_state("second.toml");
    fs::copy_file(in_state("tradepost.toml"), second);
    {
        Changed settings("second.toml");
        settings.replace("[database]\n", "[database]\nmax_connections = 104\n");
        const auto done = doctor();
        BOOST_TEST(done.code == 0);
        BOOST_TEST(complaints(done) ==
                       Lines{"WARN 2 instances of this host may open 111 of 120 connections of the database server: set "
                             "max_connections = 121 in the server's configuration, or lower max_connections of [database] in the "
                             "instances' settings"},
                   boost::test_tools::per_element());
        settings.replace("max_connections = 104\n", "max_connections = 103\n");
        BOOST_TEST(complaints(doctor()) == Lines(), boost::test_tools::per_element());
    }
    fs::remove(second);
}

BOOST_AUTO_TEST_CASE(fewer_connections_than_the_instance_may_open) {
    administer("ALTER USER 'tradepost'@'localhost' WITH MAX_USER_CONNECTIONS 9");
    const auto few = doctor();
    administer("ALTER USER 'tradepost'@'localhost' WITH MAX_USER_CONNECTIONS 10");
    const auto enough = doctor();
    administer("ALTER USER 'tradepost'@'localhost' WITH MAX_USER_CONNECTIONS 0");
    BOOST_TEST(complaints(few) ==
                   Lines{"WARN the database lets tradepost have 9 connections, and this instance may open 7: let it have 10, "
                         "with ALTER USER … WITH MAX_USER_CONNECTIONS, or set max_connections = 6 of [database]"},
               boost::test_tools::per_element());
    BOOST_TEST(complaints(enough) == Lines(), boost::test_tools::per_element());
}

// Every write would be 503, while reads go on.
BOOST_AUTO_TEST_CASE(a_database_that_takes_no_writes) {
    const auto& instance = fault_injection_stack();
    const auto user = instance.add_user();
    Client client(instance.site());
    BOOST_TEST(client.get("/readyz").status == 200);
    BOOST_TEST(client.get("/api/v1/jobs").status == 200);  // the first read creates a key
    administer("SET GLOBAL read_only = 1");
    const auto readiness = client.get("/readyz");
    const auto write = client.post("/api/v1/auth", sign_in_body(user));
    const auto read = client.get("/api/v1/jobs");
    const auto done = doctor();
    administer("SET GLOBAL read_only = 0");
    check_refused(readiness, 503, "Service unavailable");
    check_refused(write, 503, "Service unavailable");
    BOOST_TEST(read.status == 200);
    const std::regex why(
        "FAIL database takes writes: the database is read-only: The (MariaDB|MySQL) server is running with the --read-only "
        "option so "
        "it cannot execute this statement \\(1290\\); SHOW VARIABLES LIKE '%read_only' tells why\\. Let \\[database\\] name the "
        "server "
        "that takes writes, or run SET GLOBAL read_only = OFF there");
    const auto found = complaints(done);
    BOOST_TEST_REQUIRE(found.size() == 1u);
    BOOST_TEST(std::regex_match(found[0], why), found[0]);
    const auto log = instance.log("api");
    BOOST_TEST(std::regex_search(log, std::regex("route=/readyz status=503 .*why=\"the database is read-only: The ")), log);
    const auto sign_ins = instance.log("auth");
    const std::regex refused("route=/api/v1/auth status=503 .*why=\".*--read-only option.* \\(1290\\): ");
    BOOST_TEST(std::regex_search(sign_ins, refused), sign_ins);
    BOOST_TEST(client.get("/readyz").status == 200);
}

BOOST_AUTO_TEST_CASE(messages_that_nobody_delivers) {
    const auto& stack = fault_injection_stack();
    BOOST_TEST_REQUIRE(stack.sv("down", "deliver").code == 0);
    const std::string insert =
        "INSERT INTO outbox_messages (id, kind, target, payload, state, created_at, not_before) SELECT UNHEX(REPLACE(UUID(), "
        "'-', '')), "
        "'nothing', "
        "'nobody', '{}', 'waiting', t, t FROM (SELECT UTC_TIMESTAMP(3) - INTERVAL ";
    administer(insert + "30 SECOND AS t) a");
    BOOST_TEST(complaints(doctor()) == Lines(), boost::test_tools::per_element());
    administer(insert + "1 HOUR AS t) a");
    const auto done = doctor();
    BOOST_TEST(done.code == 0);
    const auto found = complaints(done);
    BOOST_TEST_REQUIRE(found.size() == 1u);
    BOOST_TEST(
        std::regex_match(found[0], std::regex("WARN messages have waited 36\\d\\d s for tradepost-deliver: see its log, or start "
                                              "it: letters, webhooks and push messages wait for it")),
        found[0]);
    const auto up = stack.sv("up", "deliver");
    BOOST_TEST_REQUIRE(up.code == 0, up.out << up.err << stack.log("deliver"));
    const bool sent = await([] { return complaints(doctor()).empty(); });
    BOOST_TEST(sent, stack.log("deliver"));
}

BOOST_AUTO_TEST_CASE(a_store_that_cannot_be_written) {
    const auto store = in_state("uploads");
    if (geteuid() == 0) {
        const Mounted itself({"--bind", store, store});
        inside({"mount", "-o", "remount,bind,ro", store});
        check_complaints(
            {"FAIL uploads: " + store + ": Read-only file system: it must be writable for root, as whom the uploads pool runs"});
        return;
    }
    const auto name = run_command({"id", "-un"}).out;
    for (const auto& folder : {store, store + "/work"})
        if (fs::exists(folder)) fs::permissions(folder, fs::perms(0500));
    check_complaints({"FAIL uploads: " + store + ": Permission denied: it must be writable for " +
                      name.substr(0, name.size() - 1) + ", as whom the uploads pool runs"});
    for (const auto& folder : {store, store + "/work"})
        if (fs::exists(folder)) fs::permissions(folder, fs::perms(0700));
}

BOOST_AUTO_TEST_CASE(parts_of_the_store_that_are_missing) {
    const auto store = in_state("uploads");
    fs::rename(store + "/incoming", store + "/away");
    check_complaints(
        {"FAIL uploads: " + store + "/incoming: No such file or directory: nginx makes it when it starts or reloads"});
    fs::rename(store + "/away", store + "/incoming");
    fs::rename(store, store + "-away");
    check_complaints({"FAIL uploads: " + store + ": it is not there: make it, for the user of the uploads pool"});
    fs::rename(store + "-away", store);

    if (not_root("parts_of_the_store_that_are_missing", "only root can hide a program")) return;
    const Mounted hidden({"--bind", "/dev/null", "/usr/bin/vips"});
    check_complaints({"FAIL uploads: /usr/bin/vips cannot be run: install libvips-tools"});
}

// A running worker has the configuration that it read when it started.
BOOST_AUTO_TEST_CASE(a_store_that_the_workers_do_not_use) {
    const auto store = in_state("uploads"), other = in_state("elsewhere");
    Changed settings("tradepost.toml");
    settings.replace("directory = \"" + store + "\"", "directory = \"" + other + "\"");
    const auto unused = "FAIL uploads pool stores in " + other + ": its workers use " + store +
                        ": render nginx's configuration again and restart the pools, or correct [uploads] directory";
    check_complaints({unused, "FAIL uploads directory " + other +
                                  ": No such file or directory: make it, for the user of the uploads pool, or correct "
                                  "[uploads] directory"});
    fs::create_directory(other);
    const auto done = doctor();
    fs::remove(other);
    BOOST_TEST(done.code == 1);
    BOOST_TEST(complaints(done) == Lines{unused}, boost::test_tools::per_element());
    BOOST_TEST(done.out.find("ok   uploads directory " + other + "\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_full_disk) {
    if (not_root("a_full_disk", "only root can mount a small file system")) return;
    const auto store = in_state("uploads");
    const Mounted small({"-t", "tmpfs", "-o", "size=8m,mode=0700", "none", store});
    inside({"mkdir", "-m", "0700", store + "/incoming", store + "/work"});
    check_complaints({"FAIL uploads: " + store + ": 8 MiB are free: make room for 128 MiB in some hundred files"});
    inside({"sh", "-c", "cat /dev/zero >'" + store + "/filling' || :"});
    check_complaints({"FAIL uploads: " + store + ": no room is left: free some"});
}

BOOST_AUTO_TEST_CASE(clocks_that_differ) {
    // For every new connection but the administrators'.
    administer("SET GLOBAL init_connect = 'SET timestamp = UNIX_TIMESTAMP(NOW(6)) + 3600'");
    const auto ahead = doctor();
    administer("SET GLOBAL init_connect = 'SET timestamp = UNIX_TIMESTAMP(NOW(6)) - 600'");
    const auto behind = doctor();
    administer("SET GLOBAL init_connect = ''");
    BOOST_TEST(complaints(ahead) ==
                   Lines{"FAIL clocks of this host and the database agree: they differ by 3600 s: run a time service on both"},
               boost::test_tools::per_element());
    BOOST_TEST(complaints(behind) ==
                   Lines{"FAIL clocks of this host and the database agree: they differ by 600 s: run a time service on both"},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
