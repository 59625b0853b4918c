// An instance with rows of every table that export all carries, and a new instance to import them into.
#pragma once
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <iterator>

#include "core/crypto.h"
#include "ctl/everything/manifest.h"
#include "ctl/everything/rows.h"
#include "db/statement.h"
#include "files/store.h"
#include "repo/application.h"
#include "repo/ctl_support.h"
#include "resources/uploads/upload.h"

namespace tradepost::test {

namespace fs = std::filesystem;
using namespace ctl::everything;

inline const std::string ashford = "0195f0a0-0000-7000-8000-00000000a001", demo = "0195f0a0-0000-7000-8000-00000000e001";

inline std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
inline void write(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}
inline std::string replaced(std::string text, const std::string& part, const std::string& by) {
    const auto at = text.find(part);
    BOOST_REQUIRE_MESSAGE(at != std::string::npos, part);
    return text.replace(at, part.size(), by);
}
inline std::string id_literal(const std::string& id) {
    return db::literal(core::Uuid::parse(id).value());
}
// The number of files in the store, without those that are being prepared in its folder `work`.
inline std::size_t stored_files(const fs::path& store) {
    const fs::recursive_directory_iterator all(store), end;
    return std::size_t(std::count_if(all, end, [&](const auto& entry) {
        return entry.is_regular_file() && *entry.path().lexically_relative(store).begin() != "work";
    }));
}

struct EverythingFixture : CtlFixture {
    EverythingFixture() {
        database.clear();
        load_fixture(connection, "tests/api/fixture");
        auto text = replaced(read(config), "\"" + database.config().name + "\"", "\"" + other_database.config().name + "\"");
        for (const char* of : {".uploads", ".limits"}) text = replaced(text, config + of, other_config + of);
        write(other_config, text);
        fs::permissions(other_config, fs::perms::owner_read | fs::perms::owner_write);
        fs::create_directory(other_config + ".uploads");
        fill();
        BOOST_REQUIRE(ctl({"recount"}).code == 0);
    }
    ~EverythingFixture() {
        for (const auto& each : {directory, directory + ".part", directory + "-2", other_config, other_config + ".uploads"})
            fs::remove_all(each);
        for (const auto& each : {config, other_config})
            for (const char* of : {".limits", ".limits.versions"}) fs::remove(each + of);
    }

    // A row with these values in SQL, and others that the columns take.
    void insert(const std::string& table, std::map<std::string, std::string> cells) {
        std::string names, values;
        for (const auto& column : columns_of(connection, {table})) {
            auto& value = cells[column.name];
            if (value.empty() && column.is_required)
                value = column.form == Form::uuid     ? db::literal(core::Uuid::v7(clock.now()))
                        : column.form == Form::bytes  ? db::literal(db::Binary{std::string(32, '\x01')})
                        : column.form == Form::time   ? "UTC_TIMESTAMP(3)"
                        : column.form == Form::number ? "1"
                                                      : "'a'";
            if (value.empty()) continue;
            names += (names.empty() ? "" : ", ") + column.name;
            values += (values.empty() ? "" : ", ") + value;
        }
        connection.execute("INSERT INTO " + table + " (" + names + ") VALUES (" + values + ")");
    }

    void add_upload(const std::string& bytes, const std::string& type, const std::string& cells) {
        const auto hash = core::sha256(bytes);
        files::Store store(config + ".uploads");
        for (const auto& url : {std::optional(uploads::upload_url(hash, type)), uploads::thumbnail_url(hash, type)}) {
            if (!url) continue;
            fs::create_directories(fs::path(store.path(*url)).parent_path());
            write(store.path(*url), bytes);
        }
        const auto id = core::Uuid::v7(clock.now());
        connection.execute(
            "INSERT INTO uploads (id, organisation_id, user_id, status, filename, content_type, content_hash, size, attachments, "
            "created_at) VALUES (?, " +
                id_literal(ashford) + ", " + id_literal(demo) + ", 'READY', 'a', ?, ?, 7, 1, ?)",
            {id, type, db::Binary{hash}, clock.now()});
        connection.execute("INSERT INTO " + std::string(type == "application/pdf" ? "stock_documents" : "stock_images") +
                               " (stock_id, position, upload_id" + cells +
                               " FROM stock_items WHERE organisation_id = " + id_literal(ashford) + " ORDER BY id LIMIT 1",
                           {id});
    }

    // A row of every table that is carried.
    void fill() {
        const auto organisation = id_literal(ashford), user = id_literal(demo);
        add_upload("a picture", "image/jpeg", ") SELECT id, 0, ?");
        add_upload("a document \xff", "application/pdf", ", title) SELECT id, 0, ?, 'Manual'");
        connection.execute("UPDATE stock_items SET has_images = 1 WHERE id IN (SELECT stock_id FROM stock_images)");
        const auto enquiry = db::literal(connection.query("SELECT id FROM enquiries LIMIT 1").at(0).uuid(0));
        const auto webhook = db::literal(core::Uuid::v7(clock.now()));
        const std::string later = "UTC_TIMESTAMP(3) + INTERVAL 1 DAY", text = R"('Grüße, "\\ \n\t \' und 🚜')";
        insert("invitations", {{"organisation_id", organisation},
                               {"role", "'MEMBER'"},
                               {"email", "'n@example.com'"},
                               {"email_key", "'n@example.com'"},
                               {"expires_at", later}});
        insert("second_factors", {{"user_id", user}, {"secret", "x'00ff27225c80'"}});
        insert("recovery_codes", {{"user_id", user}});
        insert("notification_tokens", {{"user_id", user}, {"platform", "'IOS'"}});
        insert("token_days", {{"day", "'2026-05-04'"}});
        insert("program_failures", {{"organisation_id", organisation}});
        insert("idempotency_keys", {{"user_id", user}, {"status", "201"}, {"headers", "'{}'"}, {"body", text}});
        insert("idempotency_keys", {{"user_id", user}, {"key_hash", "REPEAT('2', 32)"}});
        insert("record_history", {{"collection", "'jobs'"}, {"user_id", user}, {"changes", "'[]'"}});
        insert("deletions", {{"organisation_id", organisation}, {"collection", "'stock'"}, {"reference", "'Ä 1'"}});
        insert("enquiry_digests", {{"organisation_id", organisation}, {"user_id", user}, {"enquiry_id", enquiry}});
        insert("webhooks", {{"id", webhook},
                            {"organisation_id", organisation},
                            {"url", "'https://dealer.example/hook'"},
                            {"events", "'[\"enquiry.created\"]'"},
                            {"active", "1"}});
        insert("webhook_secrets", {{"webhook_id", webhook}, {"secret", "x'" + std::string(64, 'e') + "'"}});
        insert("examination_requests", {{"organisation_id", organisation}});
        insert("instance_keys", {{"name", "'unsubscribe'"}});
        insert("instance_keys", {{"name", "'lists'"}});
        insert("outbox_messages", {{"state", "'waiting'"}, {"position", "NULL"}});
        insert("sessions", {{"user_id", user}});
        connection.execute("UPDATE enquiries SET note = " + text + " WHERE id = " + enquiry);
    }

    CtlResult export_all() { return ctl({"export", "all", directory}); }
    CtlResult import_all() { return bare({"--config", other_config, "import", "all", directory}); }
    bool is_new() {
        for (const char* table : {"users", "organisations", "uploads", "stock_items"})
            if (!other.query("SELECT 1 FROM " + std::string(table) + " LIMIT 1").empty()) return false;
        return true;
    }
    // The export is refused with one line, and nothing was written.
    void refuses(const std::string& part) {
        fails(import_all(), 1, part);
        BOOST_TEST(is_new());
        BOOST_TEST(stored_files(other_config + ".uploads") == 0u);
    }

    Quiet quiet;
    MigratedDatabase other_database;
    db::Connection other{other_database.config(), std::chrono::seconds(60)};
    std::string directory = path + "-all", other_config = path + "-other.toml";
};

}  // namespace tradepost::test
