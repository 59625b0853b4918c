// tradepostctl org show and org remove. Every table with a column organisation_id is empty of a removed organisation, or says here why not.
#define BOOST_TEST_DYN_LINK
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/clock.h"
#include "core/crypto.h"
#include "core/hex.h"
#include "ctl/removal.h"
#include "db/sql.h"
#include "files/store.h"
#include "outbox/queue.h"
#include "repo/ctl_support.h"
#include "resources/uploads/upload.h"
#include "support/forked.h"
#include "support/recount.h"
#include "webhooks/webhooks.h"

using namespace tradepost;
using nlohmann::json;

namespace {

const std::map<std::string, const char*> stays{
    {"audit_log", "tells what happened; prune removes it"},
    {"changes", "readers of the change log learn of the removal; prune removes it"},
    {"deletions", "programs that followed the lists learn of the removal; prune removes it"},
};

// Ends the process at the n-th call, as the kernel would.
struct DeadlyClock : core::Clock {
    explicit DeadlyClock(int calls) : left(calls) {}
    core::Time now() const override {
        if (--left == 0) raise(SIGKILL);
        return core::SystemClock().now();
    }
    mutable int left;
};

struct OrganisationFixture : test::CtlFixture {
    static constexpr int items = 230;  // more than one batch
    files::Store store{config + ".uploads"};
    std::string shared_hash = core::sha256("of both"), own_hash = core::sha256("of one");
    core::Uuid north = id_of("north-tractors"), south = id_of("south-marine");

    OrganisationFixture() {
        add_file(shared_hash);
        add_file(own_hash);
        fill("north-tractors", north);
        fill("south-marine", south);
        upload(north, own_hash);
        test::recount_all(connection);
    }

    core::Uuid id_of(const std::string& slug) { return identity::Organisations(connection).find_by_slug(slug).value().id; }
    std::string file_of(const std::string& hash) { return store.path(uploads::upload_url(hash, "image/jpeg")); }
    void add_file(const std::string& hash) {
        std::filesystem::create_directories(std::filesystem::path(file_of(hash)).parent_path());
        std::ofstream(file_of(hash)) << "x";
    }
    core::Uuid upload(const core::Uuid& organisation, const std::string& hash) {
        const auto id = core::Uuid::v7(clock.now());
        connection.execute(
            "INSERT INTO uploads (id, organisation_id, status, filename, content_type, content_hash, size, attachments, "
            "created_at) "
            "VALUES (?, ?, 'READY', 'a.jpg', 'image/jpeg', ?, 7, 1, ?)",
            {id, organisation, db::Binary{hash}, clock.now()});
        return id;
    }

    void fill(const std::string& slug, const core::Uuid& id) {
        const auto add = [&](ctl::Importer* importer, int count, const std::string& more) {
            std::string lines;
            for (int i = 0; i < count; ++i)
                lines += R"({"organisation": ")" + slug + R"(", "reference": ")" + std::to_string(i) + R"(", "title": "T")" +
                         more + "}\n";
            BOOST_REQUIRE_EQUAL(import(importer, lines), std::to_string(count) + "/0/0");
        };
        add(ctl::import_jobs, 2,
            R"(, "status": "PUBLISHED", "description": "D", "category": "C", "contractType": "PERMANENT", "workplace": "REMOTE")");
        add(ctl::import_events, 2, R"(, "startsAt": "2026-08-01T00:00:00Z")");
        add(ctl::import_posts, 2, R"(, "publishedAt": "2026-01-01T00:00:00Z", "body": "B")");
        add(ctl::import_stock, items, "");
        const auto image = upload(id, shared_hash);
        connection.execute(
            "INSERT INTO stock_images (stock_id, position, upload_id) SELECT id, 0, ? FROM stock_items WHERE organisation_id = ? "
            "AND "
            "reference = '0'",
            {image, id});
        connection.execute("UPDATE stock_items SET has_images = 1 WHERE organisation_id = ? AND reference = '0'", {id});

        const auto email = slug + "@example.com";
        BOOST_REQUIRE(
            ctl({"user", "add", "--email", email, "--name", "Ann", "--password-stdin"}, "correct horse battery\n").code == 0);
        BOOST_REQUIRE(ctl({"org", "add-member", "--org", slug, "--email", email, "--role", "ADMIN"}).code == 0);
        std::vector<std::string> integrations;
        for (const char* name : {"Feed", "Old feed"})
            integrations.push_back(json::parse(ctl({"integration", "add", "--org", slug, "--name", name, "--json"}).out)["id"]);
        BOOST_REQUIRE(ctl({"integration", "mint", "--org", slug, "--id", integrations[0], "--name", "March"}).code == 0);
        BOOST_REQUIRE(ctl({"integration", "remove", "--org", slug, "--id", integrations[1]}).code == 0);

        webhooks::Webhook webhook;
        webhook.id = core::Uuid::v7(clock.now());
        webhook.organisation_id = id;
        webhook.url = "https://dealer.example/hook";
        webhook.events = {std::string(webhooks::stock_changed)};
        webhook.created_at = webhook.updated_at = clock.now();
        webhooks::Webhooks(connection).insert(webhook, std::string(32, 's'));
        outbox::send(connection, clock.now(),
                     {.kind = "webhook", .target = webhooks::target_of(webhook.id), .payload = "{}", .organisation_id = id});
        outbox::send(connection, clock.now(),
                     {.kind = "nothing", .target = "nothing " + slug, .payload = "{}", .organisation_id = id});
        for (const char* status : {"NEW", "NEW", "CLOSED"})
            insert("enquiries", id, {{"type", "'GENERAL'"}, {"status", db::literal(status)}});
        for (const char* table :
             {"invitations", "feeds", "program_failures", "examination_requests", "outbox_bundles", "outbox_targets"})
            insert(table, id, {{"role", "'MEMBER'"}, {"expires_at", "UTC_TIMESTAMP(3) + INTERVAL 1 DAY"}});
        connection.execute(
            "INSERT INTO enquiry_digests (user_id, organisation_id, enquiry_id) SELECT m.user_id, m.organisation_id, e.id FROM "
            "memberships m JOIN users u ON u.id = m.user_id JOIN enquiries e ON e.organisation_id = m.organisation_id WHERE "
            "m.organisation_id = ? AND u.email IS NOT NULL",
            {id});
    }

    // A row of the organisation, with some values in SQL.
    void insert(const std::string& table, const core::Uuid& id, std::map<std::string, std::string> cells) {
        cells["organisation_id"] = db::literal(id);
        std::string names, values;
        for (const auto& row :
             connection.query("SELECT column_name, data_type, COALESCE(character_maximum_length, 0), is_nullable = 'NO' AND "
                              "column_default IS NULL "
                              "FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ?",
                              {table})) {
            const auto name = row.text(0), type = row.text(1);
            const auto length = std::size_t(row.unsigned_integer(2));
            const auto random = core::to_hex(core::random_bytes(length > 0 && length < 16 ? length : 16));
            auto value = type == "binary"     ? "0x" + core::to_hex(core::random_bytes(length))
                         : type == "datetime" ? "UTC_TIMESTAMP(3)"
                         : length > 0         ? "'" + random.substr(0, length) + "'"
                                              : "1";
            if (cells.contains(name))
                value = cells[name];
            else if (!row.boolean(3))
                continue;
            names += (names.empty() ? "" : ", ") + name;
            values += (values.empty() ? "" : ", ") + value;
        }
        connection.execute("INSERT INTO " + table + " (" + names + ") VALUES (" + values + ")");
    }

    // The number of rows of the organisation in each table that has them.
    std::map<std::string, std::int64_t> rows_of(const core::Uuid& id) {
        std::map<std::string, std::int64_t> found;
        for (const auto& row : connection.query(
                 "SELECT table_name FROM information_schema.columns WHERE table_schema = DATABASE() AND column_name = "
                 "'organisation_id'")) {
            const auto table = row.text(0);
            found[table] =
                connection.query("SELECT COUNT(*) FROM " + table + " WHERE organisation_id = ?", {id}).at(0).integer(0);
        }
        return found;
    }

    void is_gone(const std::map<std::string, std::int64_t>& of_others) {
        for (const auto& [table, rows] : rows_of(north))
            if (!stays.contains(table)) BOOST_TEST(rows == 0, table << " still has rows: remove them, or say why they stay");
        for (const auto& [table, rows] : rows_of(south))
            BOOST_TEST(rows == of_others.at(table), table << " of another organisation");
        BOOST_TEST(count("organisations WHERE slug = 'north-tractors'") == 0);
        BOOST_TEST(count("organisations WHERE slug = 'south-marine' AND published") == 1);
        BOOST_TEST(count("users WHERE email = 'north-tractors@example.com' AND disabled_at IS NULL") == 1);
        BOOST_TEST(count("users WHERE email IS NULL") == 2);  // the other's integrations
        BOOST_TEST(count("api_tokens") == 1);
        BOOST_TEST(count("webhook_secrets") == 1);
        for (const char* table : {"job_search", "event_search", "post_search"}) BOOST_TEST(count(table) == 2, table);
        BOOST_TEST(count("stock_search") == items);
        BOOST_TEST(count("stock_images") == 1);
        BOOST_TEST(test::recount_all(connection) == 0u);
        BOOST_TEST(count("list_counts WHERE list = 'stock_items' AND measure = 255") > 0);
        BOOST_TEST(std::filesystem::exists(file_of(shared_hash)));
        BOOST_TEST(!std::filesystem::exists(file_of(own_hash)));
        BOOST_TEST(count("audit_log WHERE event = 'organisation_removed' AND detail = 'north-tractors'") == 1);
    }
};

// Standard input is this device while this lives.
struct StandardInput {
    explicit StandardInput(const char* device) {
        const int opened = open(device, O_RDWR | O_NOCTTY);
        dup2(opened, STDIN_FILENO);
        close(opened);
    }
    ~StandardInput() {
        dup2(before, STDIN_FILENO);
        close(before);
    }
    int before = dup(STDIN_FILENO);
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(ctl_organisations, OrganisationFixture)

BOOST_AUTO_TEST_CASE(org_show_shows_all_of_an_organisation) {
    const auto shown = json::parse(ctl({"org", "show", "--org", "north-tractors", "--json"}).out);
    BOOST_TEST(shown["slug"] == "north-tractors");
    BOOST_TEST(shown["published"] == true);
    BOOST_TEST(shown["test"] == false);
    BOOST_TEST(shown["website"].is_null());
    BOOST_TEST(shown["openEnquiries"] == 2);
    BOOST_TEST(shown["members"].size() == 1u);
    BOOST_TEST(shown["members"][0]["email"] == "north-tractors@example.com");
    BOOST_TEST(shown["members"][0]["role"] == "ADMIN");
    BOOST_TEST(shown["integrations"].size() == 1u);
    BOOST_TEST(shown["integrations"][0]["tokens"][0]["name"] == "March");
    BOOST_TEST(shown["integrations"][0]["tokens"][0]["lastUsedAt"].is_null());
    BOOST_TEST(shown["uploads"] == json::parse(R"([{"uploads":"READY","count":2,"bytes":14}])"));
    BOOST_TEST(shown["webhooks"][0]["webhook"] == "https://dealer.example/hook");
    BOOST_TEST(shown["webhooks"][0]["active"] == true);
    std::set<std::string> content;
    for (const auto& each : shown["content"])
        content.insert(each["kind"].get<std::string>() + " " + each["status"].get<std::string>() + " " + each["count"].dump() +
                       " " + each["published"].dump());
    const std::set<std::string> expected{"jobs PUBLISHED 2 2",   "events SCHEDULED 2 0", "posts PUBLISHED 2 2",
                                         "stock DRAFT 230 null", "enquiries NEW 2 null", "enquiries CLOSED 1 null"};
    BOOST_TEST(content == expected, boost::test_tools::per_element());

    const auto text = ctl({"org", "show", "--org", "north-tractors"}).out;
    for (const char* part : {"\npublished      yes\n", "north-tractors@example.com  Ann   ADMIN", "March  -",
                             "https://dealer.example/hook", "\nREADY    2      14\n", "STOCK_ITEMS"})
        BOOST_TEST(text.find(part) != std::string::npos, part << " is not in\n" << text);
}

BOOST_AUTO_TEST_CASE(org_remove_leaves_nothing) {
    auto before = rows_of(north);
    for (const auto& [table, rows] : before)
        if (!stays.contains(table)) BOOST_TEST(rows > 0, table << " has no row: add one");
    for (const auto& [table, why] : stays) BOOST_TEST(before.contains(table), table);
    const auto others = rows_of(south);
    const auto version = this->version("jobs");
    const auto removed = json::parse(ctl({"org", "remove", "--org", "north-tractors", "--yes", "--json"}).out);
    BOOST_TEST(removed["removed"]["stock"] == items);
    BOOST_TEST(removed["removed"]["integrations"] == 1);
    BOOST_TEST(removed["removed"]["memberships"] == 1);
    BOOST_TEST(removed["filesLeft"] == 0);
    is_gone(others);
    BOOST_TEST(this->version("jobs") > version);
    BOOST_TEST(rows_of(north)["deletions"] == 2 + 2 + 2 + items);
    fails(ctl({"org", "remove", "--org", "north-tractors", "--yes"}), 1, "there is no organisation north-tractors");
}

BOOST_AUTO_TEST_CASE(org_remove_is_killed_and_ends_at_last) {
    const auto others = rows_of(south);
    const auto organisation = identity::Organisations(connection).find(north).value();
    int killed = 0;
    for (int calls = 1;; ++calls) {
        const auto child = fork();
        if (child == 0) {
            try {
                test::make_own_ids();
                db::Connection own(database.config());
                const DeadlyClock deadly(calls);
                ctl::remove_organisation(own, deadly, store, organisation);
                _exit(0);
            } catch (...) {
                _exit(1);
            }
        }
        int status = 0;
        BOOST_REQUIRE_EQUAL(waitpid(child, &status, 0), child);
        if (WIFEXITED(status)) {
            BOOST_TEST(WEXITSTATUS(status) == 0);
            break;
        }
        BOOST_REQUIRE_EQUAL(WTERMSIG(status), SIGKILL);
        ++killed;
        if (killed > 1) BOOST_TEST(count("organisations WHERE slug = 'north-tractors' AND published") == 0);
    }
    BOOST_TEST(killed > 5);
    is_gone(others);
}

BOOST_AUTO_TEST_CASE(org_remove_asks) {
    {
        const StandardInput nothing("/dev/null");
        fails(ctl({"org", "remove", "--org", "hidden-vans"}), 2, "add --yes");
        fails(ctl({"org", "remove", "--org", "north-tractors"}), 1,
              "in use (published posts: 2, published jobs: 2, stock: 230): nothing was removed");
    }
    insert("invitations", id_of("hidden-vans"), {{"role", "'MEMBER'"}});
    const StandardInput terminal("/dev/ptmx");
    fails(ctl({"org", "remove", "--org", "north-tractors"}, "north-tractors\n"), 1, "nothing was removed");
    const auto answered = [&](const std::string& answer) { return ctl({"org", "remove", "--org", "hidden-vans"}, answer); };
    for (const char* wrong : {"yes\n", ""}) {
        const auto asked = answered(wrong);
        BOOST_TEST(asked.code == 1);
        BOOST_TEST(
            asked.out ==
            "This deletes for ever the organisation hidden-vans\n    invitations: 1\nTo delete all of that, type hidden-vans: ");
        BOOST_TEST(asked.error == "tradepostctl: nothing was removed\n");
    }
    BOOST_TEST(count("organisations WHERE slug = 'hidden-vans'") == 1);
    BOOST_TEST(answered("hidden-vans\n").code == 0);
    BOOST_TEST(count("organisations WHERE slug = 'hidden-vans'") == 0);
}

BOOST_AUTO_TEST_SUITE_END()
