// tradepostctl export all and import all.
#define BOOST_TEST_DYN_LINK
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "app.h"
#include "core/hex.h"
#include "counts/table.h"
#include "db/lease.h"
#include "repo/everything_support.h"
#include "resources/routes.h"
#include "resources/tables.h"
#include "search/engines/words_state.h"
#include "support/case_match.h"
#include "support/forked.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

// Kills this process at the statement before which so many were sent; if negative, at the first one after the commit of the rows.
int statements_left = 0;
bool has_sent_rows = false, has_committed_rows = false;
void count_down(std::string_view sql, const std::string&, const std::source_location&) {
    if (--statements_left == 0 || (statements_left < 0 && has_committed_rows)) (void)raise(SIGKILL);
    has_sent_rows |= sql.starts_with("INSERT INTO users");
    has_committed_rows = has_sent_rows && sql == "COMMIT";
}

// Whether the command was killed. Otherwise it has succeeded.
bool is_killed(std::vector<std::string> arguments, int statements) {
    const auto child = fork();
    if (child == 0) {
        statements_left = statements;
        make_own_ids();
        db::watch_statements(count_down);
        arguments.insert(arguments.begin(), {"tradepostctl", "--config"});
        std::vector<const char*> argv;
        for (const auto& argument : arguments) argv.push_back(argument.c_str());
        const std::ostringstream unread;
        std::cout.rdbuf(unread.rdbuf());
        _exit(ctl::run(int(argv.size()), argv.data()));
    }
    int status = 0;
    BOOST_REQUIRE_EQUAL(waitpid(child, &status, 0), child);
    if (WIFEXITED(status)) BOOST_TEST(WEXITSTATUS(status) == 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

using Bodies = std::map<std::string, std::string>;

// What every caller is answered by each GET of the API: lists, with and without search words, and the document of every row in them.
struct Reader {
    explicit Reader(const std::string& path) : config(core::load_config(path)), app(config, clock, limiter) {}

    http::Response get(const std::string& target, const std::string& caller, const std::string& tag = "") {
        http::Request request;
        request.method = "GET";
        request.target = target;
        if (!caller.empty()) request.headers.emplace_back("authorization", "Bearer " + test::fixture_token(caller));
        if (!tag.empty()) request.headers.emplace_back("if-none-match", tag);
        return app.handle(request);
    }

    Bodies bodies() {
        Bodies all;
        for (const std::string caller : {"", "demo", "birch-admin", "solo"}) {
            std::vector<std::string> details;
            const auto add = [&](const std::string& target) {
                const auto response = get(target, caller);
                return all[caller + " " + target] = std::to_string(response.status) + " " + response.body;
            };
            for (const auto& route : routes()) {
                const std::string pattern(route.path);
                // Failures rise with these requests, and a pass is no document.
                const bool varies = pattern.find("/diagnosis/") != std::string::npos || pattern.ends_with("/failures");
                if (route.method != "GET" || !pattern.starts_with("/api/v1/") || varies) continue;
                const auto brace = pattern.find('{');
                if (brace != std::string::npos) {
                    // The outbox stays, and with it what was delivered.
                    if (pattern.find("/deliveries") == std::string::npos) details.push_back(pattern.substr(0, brace));
                    continue;
                }
                for (const char* query : {"?perPage=100", "?q=van", "?fields=category",
                                          "?organisationId=", "?since=2020-01-01T00:00:00Z&organisationId="})
                    add(pattern + query + (std::string(query).ends_with('=') ? ashford : ""));
            }
            for (const auto& head : details) {
                const bool by_reference = head.ends_with("/by-reference/");
                const auto list = head.substr(0, head.find('/', 8));
                const auto target = list + "?perPage=100" + (caller.empty() ? "" : "&organisationId=" + ashford);
                const auto rows = nlohmann::json::parse(get(target, caller).body).value("data", nlohmann::json::array());
                for (const auto& row : rows)
                    for (const char* name : {"id", "slug", "reference"})
                        if (row.contains(name) && row[name].is_string() && by_reference == (name == std::string("reference")))
                            add(head + row[name].get<std::string>() + "?organisationId=" + ashford);
            }
        }
        return all;
    }

    core::Config config;
    core::SystemClock clock;
    test::Unlimited limiter;
    App app;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(everything, EverythingFixture)

BOOST_AUTO_TEST_CASE(each_table_is_carried_or_left_out) {
    std::set<std::string> carried, left_out, there;
    for (const auto& table : carried_tables()) {
        const std::string name(table.name);
        BOOST_TEST(carried.insert(name).second, name);
        BOOST_TEST(!key_of(connection, name).empty(), name << " has no primary key");
        (void)columns_of(connection, table);
        // Rows can be added in the order of the list.
        for (const auto& row : connection.query(
                 "SELECT referenced_table_name FROM information_schema.referential_constraints WHERE constraint_schema = "
                 "DATABASE() AND table_name = ?",
                 {name}))
            BOOST_TEST(carried.contains(row.text(0)), name << " comes before " << row.text(0));
        BOOST_TEST(count(name + (table.where.empty() ? "" : " WHERE " + std::string(table.where))) > 0,
                   name << " has no row: add one to fill()");
    }
    for (const auto& table : left_out_tables()) {
        left_out.emplace(table.name);
        BOOST_TEST(!carried.contains(std::string(table.name)));
    }
    for (const auto& row : connection.query("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()")) {
        there.insert(row.text(0));
        BOOST_TEST((carried.contains(row.text(0)) || left_out.contains(row.text(0))),
                   row.text(0) << ": carry it in ctl/everything/tables.cpp, or say there why it is left out");
    }
    for (const auto* names : {&carried, &left_out})
        for (const auto& name : *names) BOOST_TEST(there.contains(name), name << " is gone");
}

BOOST_AUTO_TEST_CASE(a_second_instance_answers_the_same) {
    Reader reader(config), other_reader(other_config);
    (void)reader.bodies();  // some show when a token was used
    const auto before = reader.bodies();
    std::size_t successes = 0;
    for (const auto& [target, body] : before) successes += body.starts_with("200 ");
    BOOST_TEST(successes > 100u);
    const auto tag = [](const http::Response& response) {
        for (const auto& [name, value] : response.headers)
            if (core::lower_ascii(name) == "etag") return value;
        return std::string();
    };
    const auto old_tag = tag(reader.get("/api/v1/jobs", "")), empty_tag = tag(other_reader.get("/api/v1/jobs", ""));

    const auto exported = export_all();
    BOOST_TEST(exported.error == "");
    BOOST_TEST(exported.out.find("3 files of uploads") != std::string::npos, exported.out);
    BOOST_TEST(exported.out.find("1 message waits") != std::string::npos, exported.out);
    const auto imported = import_all();
    BOOST_TEST(imported.error == "");
    BOOST_TEST(imported.code == 0);

    for (const auto* table : resources::counted_tables()) BOOST_TEST(counts::recount(other, *table) == 0u, table->name());
    for (const auto& table : resources::words_tables()) BOOST_TEST(search::words_complete(other, table.name), table.name);
    for (const auto& entry : fs::recursive_directory_iterator(config + ".uploads")) {
        if (!entry.is_regular_file()) continue;
        const auto copy = other_config + ".uploads" + entry.path().string().substr((config + ".uploads").size());
        BOOST_TEST(read(copy) == read(entry.path()));
        BOOST_TEST((fs::status(copy).permissions() == fs::perms(0640)), copy);
    }

    // The folder is readable by its owner only.
    BOOST_TEST((fs::status(directory).permissions() == fs::perms(0700)));
    BOOST_TEST((fs::status(directory + "/users.jsonl").permissions() == fs::perms(0600)));
    // What was imported is exported as it was.
    BOOST_TEST(bare({"--config", other_config, "export", "all", directory + "-2"}).code == 0);
    for (const auto& entry : fs::recursive_directory_iterator(directory)) {
        if (!entry.is_regular_file() || entry.path().filename() == manifest_file) continue;
        const auto again = read(directory + "-2" + entry.path().string().substr(directory.size()));
        if (entry.path().filename() != "audit_log.jsonl") {
            BOOST_TEST((again == read(entry.path())), entry.path());
            continue;
        }
        BOOST_TEST(again.starts_with(read(entry.path())));
        BOOST_TEST(std::count(again.begin(), again.end(), '\n') == count("audit_log") + 2);
    }
    const auto after = other_reader.bodies();
    BOOST_TEST(after.size() == before.size());
    for (const auto& [target, body] : before) BOOST_TEST((after.contains(target) && after.at(target) == body), target);
    for (const auto& of : {old_tag, empty_tag}) BOOST_TEST(other_reader.get("/api/v1/jobs", "", of).status == 200);

    BOOST_TEST(import_all().out.find("was imported before") != std::string::npos);
    fails(export_all(), 1, "is there already");
    fails(ctl({"import", "all", directory}), 1, "this instance is in use, it has rows of users");
}

BOOST_AUTO_TEST_CASE(bad_folders_are_refused) {
    fails(import_all(), 1, "is no complete export");
    BOOST_REQUIRE(export_all().code == 0);
    const auto with = [&](const std::string& file, const std::function<std::string(const std::string&)>& changed,
                          const std::string& part) {
        const auto name = directory + "/" + file, before = read(name);
        write(name, changed(before));
        refuses(part);
        write(name, before);
    };
    const auto cut = [](const std::string& text) { return text.substr(0, text.size() / 2); };
    for (const char* file : {"users.jsonl", "stock_items.jsonl", upload_sums_file}) with(file, cut, "is not as it was exported");
    with(
        "jobs.jsonl", [](std::string text) { return text[text.size() / 2] ^= 1, text; }, "is not as it was exported");
    with(manifest_file, cut, "is damaged");
    with(
        manifest_file, [](auto text) { return replaced(text, "\"format\": 1", "\"format\": 2"); }, "install that version");
    with(
        manifest_file, [](auto text) { return replaced(text, "\"schema\": ", "\"schema\": 9"); }, "and this version knows");
    with(
        manifest_file, [](auto text) { return replaced(text, "\"email_key\"", "\"colour\""); }, "no column users.colour");
    with(
        manifest_file, [](auto text) { return replaced(text, "\"email_key\",", ""); },
        "has a column that manifest.json does not name");
    with(
        manifest_file, [](auto text) { return replaced(text, "\"slug\",", ""); }, "lacks the column organisations.slug");
    with(
        manifest_file, [](auto text) { return replaced(text, "\"name\": \"webhooks\"", "\"name\": \"boats\""); },
        "does not name webhooks");
    const auto picture = uploads::upload_url(core::sha256("a picture"), "image/jpeg");
    with(
        picture.substr(1), [](auto) { return "another"; }, "is not as it was exported");
    fs::rename(directory + picture, directory + "/picture");
    refuses("No such file or directory: copy the export again");
    // A row whose file nobody exported.
    const auto sums = directory + "/" + upload_sums_file;
    std::string rest;
    std::istringstream lines(read(sums));
    for (std::string line; std::getline(lines, line);)
        if (line.find(picture.substr(1)) == std::string::npos) rest += line + "\n";
    write(sums, rest);
    const auto manifest = directory + "/" + manifest_file;
    auto document = nlohmann::ordered_json::parse(read(manifest));
    document["uploads"]["sha256"] = core::to_hex(core::sha256(rest));
    document["uploads"]["files"] = 2;
    write(manifest, document.dump());
    refuses("its file is missing, uploads/");
    write(sums, replaced(rest, "uploads/", "../../../"));
    document["uploads"]["sha256"] = core::to_hex(core::sha256(read(sums)));
    write(manifest, document.dump());
    refuses("is no list of uploads");
}

BOOST_AUTO_TEST_CASE(an_older_schema_takes_defaults) {
    BOOST_REQUIRE(export_all().code == 0);
    const auto manifest = directory + "/" + manifest_file, file = directory + "/users.jsonl";
    auto document = nlohmann::ordered_json::parse(read(manifest));
    document["schema"] = 97;
    auto& tables = document["tables"];
    tables.erase(
        std::find_if(tables.begin(), tables.end(), [](const auto& each) { return each["name"] == "examination_requests"; }));
    auto& organisations =
        *std::find_if(tables.begin(), tables.end(), [](const auto& each) { return each["name"] == "organisations"; });
    auto& columns = organisations["columns"];
    columns.erase(std::find(columns.begin(), columns.end(), "test"));
    std::string text;
    std::istringstream lines(read(directory + "/organisations.jsonl"));
    for (std::string line; std::getline(lines, line);) {
        auto row = nlohmann::ordered_json::parse(line);
        row.erase("test");
        text += row.dump() + "\n";
    }
    write(directory + "/organisations.jsonl", text);
    organisations["sha256"] = core::to_hex(core::sha256(text));
    write(manifest, document.dump());
    const auto imported = import_all();
    BOOST_TEST(imported.error == "");
    BOOST_TEST(other.query("SELECT COUNT(*) FROM organisations WHERE test = 0").at(0).integer(0) == count("organisations"));
    BOOST_TEST(other.query("SELECT 1 FROM examination_requests").empty());
}

BOOST_AUTO_TEST_CASE(one_at_a_time) {
    BOOST_REQUIRE(export_all().code == 0);
    for (const char* what : {"import", "prune"}) {
        const auto lease = db::Lease::take(other, what, std::chrono::seconds(60));
        refuses(std::string(what) + " is running on ");
    }
    fs::create_directory(directory + "-2.part");
    const core::FileDescriptor part(open((directory + "-2.part").c_str(), O_RDONLY | O_DIRECTORY));
    const auto again = [&] { return ctl({"export", "all", directory + "-2"}); };
    BOOST_REQUIRE(flock(part.get(), LOCK_EX) == 0);
    fails(again(), 1, "another export is being written to");
    BOOST_REQUIRE(flock(part.get(), LOCK_UN) == 0);
    write(directory + "-2.part/letter.txt", "x");
    fails(again(), 1, "is there and no export");
    BOOST_TEST(read(directory + "-2.part/letter.txt") == "x");
    fs::remove_all(directory + "-2.part");
    BOOST_TEST(ctl({"export", "all", directory + "-2/"}).code == 0);
}

BOOST_AUTO_TEST_CASE(missing_and_damaged_files_of_the_store) {
    const auto picture = config + ".uploads" + uploads::upload_url(core::sha256("a picture"), "image/jpeg").substr(8);
    write(picture, "another");
    fails(export_all(), 1, "is damaged");
    fs::remove(picture);
    fails(export_all(), 1, "is missing");
    BOOST_TEST(!fs::exists(directory));
    BOOST_TEST(!fs::exists(directory + ".part"));
}

// Killed at later and later statements, each ends with the same result as one that was not.
BOOST_AUTO_TEST_CASE(kills) {
    int killed = 0;
    for (int statements = 5; is_killed({config, "export", "all", directory}, statements);
         statements += 1 + statements / 2, ++killed)
        BOOST_TEST(!fs::exists(directory));
    BOOST_TEST(killed > 3);
    BOOST_TEST(!fs::exists(directory + ".part"));

    killed = 0;
    bool had_rows = false;
    for (int statements = 20; is_killed({other_config, "import", "all", directory}, statements);
         statements += 1 + statements / 3, ++killed) {
        const auto rows = other.query("SELECT COUNT(*) FROM users").at(0).integer(0);
        BOOST_TEST((rows == 0 || rows == count("users")));
        if (rows == 0) {
            BOOST_TEST(is_new());
        } else if (!had_rows) {
            statements = 20;
            had_rows = true;
        }
    }
    BOOST_TEST(killed > 6);
    BOOST_TEST(had_rows);
    BOOST_TEST(bare({"--config", other_config, "export", "all", directory + "-2"}).code == 0);
    for (const auto& table : carried_tables())
        if (table.name != "audit_log") {
            const auto file = "/" + std::string(table.name) + ".jsonl";
            BOOST_TEST((read(directory + "-2" + file) == read(directory + file)), table.name);
        }
    for (const auto* table : resources::counted_tables()) BOOST_TEST(counts::recount(other, *table) == 0u, table->name());
    BOOST_TEST(stored_files(other_config + ".uploads") == 3u);
}

// All rows are served from the commit on. What is derived comes afterwards, and nobody takes it for complete before.
BOOST_AUTO_TEST_CASE(killed_after_the_rows) {
    Reader reader(config), other_reader(other_config);
    (void)other_reader.bodies();
    BOOST_REQUIRE(export_all().code == 0);
    BOOST_TEST(is_killed({other_config, "import", "all", directory}, -1));
    for (const auto* table : resources::counted_tables()) BOOST_TEST(!counts::scheme_of(other, *table), table->name());
    for (const auto& table : resources::words_tables()) BOOST_TEST(!search::words_complete(other, table.name), table.name);
    Reader started_later(other_config);
    for (const char* list : {"/api/v1/jobs", "/api/v1/events", "/api/v1/posts", "/api/v1/stock"}) {
        BOOST_TEST(other_reader.get(list, "demo").body == reader.get(list, "demo").body);
        if (!std::string(list).ends_with("stock"))
            BOOST_TEST(started_later.get(list + std::string("?q=van"), "demo").status == 503, list);
    }
    BOOST_TEST(import_all().out.starts_with("imported "));
    for (const auto* table : resources::counted_tables()) BOOST_TEST(counts::recount(other, *table) == 0u, table->name());
}

BOOST_AUTO_TEST_CASE(a_full_disk) {
    const auto small = directory + "-2", store = other_config + ".uploads";
    fs::create_directory(small);
    if (mount("none", small.c_str(), "tmpfs", 0, "size=64k") != 0) {
        BOOST_TEST_MESSAGE("only root can mount a small file system");
        return;
    }
    fails(ctl({"export", "all", small + "/all"}), 1, "No space left on device");
    BOOST_TEST(fs::is_empty(small));
    umount(small.c_str());
    BOOST_REQUIRE(export_all().code == 0);
    BOOST_REQUIRE(mount("none", store.c_str(), "tmpfs", 0, "size=4k") == 0);
    refuses("No space left on device");
    umount(store.c_str());
    BOOST_TEST(import_all().code == 0);
}

BOOST_AUTO_TEST_SUITE_END()
