// export all
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "audit/record.h"
#include "core/hex.h"
#include "core/version.h"
#include "ctl/everything/everything.h"
#include "ctl/everything/folder.h"
#include "ctl/everything/manifest.h"
#include "ctl/everything/rows.h"
#include "ctl/output.h"
#include "files/files.h"
#include "files/store.h"
#include "resources/uploads/upload.h"

namespace tradepost::ctl::everything {
namespace {

namespace fs = std::filesystem;

void link_file(const files::Store& store, const std::string& upload, const std::string& url, const NewFolder& folder) {
    const auto to = folder.file(url.substr(1));
    if (mkdir(fs::path(to).parent_path().c_str(), 0700) != 0 && errno != EEXIST) files::fail(to);
    if (!link_or_copy(store.path(url), to))
        throw Failure("the file of the upload " + upload + " is missing, " + store.path(url) +
                      ": export again if somebody has deleted the upload meanwhile; else restore the file from a backup");
}

// First of all: files are deleted with their uploads, and the snapshot still has the rows.
void link_uploads(db::Connection& connection, const files::Store& store, const NewFolder& folder) {
    if (mkdir(folder.file("uploads").c_str(), 0700) != 0) files::fail(folder.file("uploads"));
    const std::vector<Column> columns{
        {"id", Form::uuid, true, false}, {"content_hash", Form::bytes, true, false}, {"content_type", Form::text, true, false}};
    each_row(connection, {.name = "uploads", .where = "content_hash IS NOT NULL"}, columns, [&](const db::Row& row) {
        const auto upload = row.uuid(0).to_string();
        link_file(store, upload, uploads::upload_url(row.text(1), row.text(2)), folder);
        if (const auto thumbnail = uploads::thumbnail_url(row.text(1), row.text(2))) link_file(store, upload, *thumbnail, folder);
    });
}

Manifest::Table write_table(db::Connection& connection, const CarriedTable& table, const NewFolder& folder) {
    const auto columns = columns_of(connection, table);
    Manifest::Table written{.name = std::string(table.name)};
    for (const auto& column : columns) written.columns.push_back(column.name);
    NewFile file(folder.file(written.file()));
    written.rows = each_row(connection, table, columns, [&](const db::Row& row) {
        json::Writer line;
        write_row(line, table, columns, row);
        file.put(line.text() + "\n");
    });
    file.finish();
    written.sha256 = core::to_hex(files::hash_file(folder.file(written.file())));
    return written;
}

std::vector<std::string> sorted_names(const std::string& directory) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

// A line for each file, as sha256sum writes it.
void write_upload_sums(Manifest& manifest, const NewFolder& folder) {
    NewFile sums(folder.file(upload_sums_file));
    for (const auto& first : sorted_names(folder.file("uploads")))
        for (const auto& name : sorted_names(folder.file("uploads/" + first))) {
            const auto path = "uploads/" + first + "/" + name;
            const auto sum = core::to_hex(files::hash_file(folder.file(path)));
            if (name.find(".thumb.") == std::string::npos && !name.starts_with(sum))
                throw Failure("the file /" + path + " is damaged: restore it from a backup, or delete its upload");
            sums.put(sum + "  " + path + "\n");
            ++manifest.uploads;
            manifest.upload_bytes += fs::file_size(folder.file(path));
        }
    sums.finish();
    manifest.upload_sums_sha256 = core::to_hex(files::hash_file(folder.file(upload_sums_file)));
}

int export_all(Context& context, const std::string& directory) {
    auto& connection = context.connection();
    const auto schema = db::schema_state(connection, db::read_migrations(migrations_directory("")));
    require_current(schema);
    NewFolder folder(directory);
    // First: what was written before a failure may have been read.
    audit::record(connection, context.now(), {.event = audit::Event::exported, .detail = "all"});
    Manifest manifest{.version = core::version, .schema = schema.applied, .exported_at = context.now()};
    std::int64_t waiting = 0;
    {
        db::Transaction snapshot(connection, db::Reads::as_of_the_first);
        link_uploads(connection, files::Store(context.config().uploads.directory), folder);
        for (const auto& table : carried_tables()) manifest.tables.push_back(write_table(connection, table, folder));
        waiting = connection.query("SELECT COUNT(*) FROM outbox_messages WHERE state = 'waiting'").at(0).integer(0);
        snapshot.commit();
    }
    write_upload_sums(manifest, folder);
    NewFile file(folder.file(manifest_file));
    file.put(to_text(manifest));
    file.finish();
    folder.finish();

    std::size_t rows = 0;
    for (const auto& table : manifest.tables) rows += table.rows;
    if (context.json) {
        print({{"rows", rows}, {"files", manifest.uploads}, {"bytes", manifest.upload_bytes}, {"messagesLeft", waiting}});
        return 0;
    }
    std::cout << "exported " << rows << " rows and " << manifest.uploads << " files of uploads to " << directory << "\n";
    if (waiting > 0)
        std::cout << waiting << (waiting == 1 ? " message waits" : " messages wait")
                  << " in the outbox and not in the export: this instance goes on sending while it runs\n";
    return 0;
}

}  // namespace

void add_export_command(Command exports, Context& context) {
    const auto directory = std::make_shared<std::string>();
    const auto command = exports.add("all",
                                     "export the whole instance to a folder, for import all on another host: all rows, with the "
                                     "hashes of passwords and tokens and the "
                                     "secrets of second factors and webhooks, and the files of uploads. Keep it as safe as the "
                                     "database. Sessions and messages "
                                     "that wait to be sent stay");
    command.required("DIR", *directory, "the folder, which must not exist; readable by its owner only");
    on(command, context, [&context, directory] { return export_all(context, *directory); });
}

}  // namespace tradepost::ctl::everything
