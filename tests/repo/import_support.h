// A migrated database and files to import into it.
#pragma once
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "core/clock.h"
#include "ctl/export.h"
#include "ctl/import/import.h"
#include "identity/organisations/organisations.h"
#include "resources/accounts/publication.h"
#include "support/database.h"
#include "versions/collection_versions.h"

namespace tradepost::test {

struct ImportFixture {
    using Importer = ctl::Importer*;

    ImportFixture() {
        organisation("north-tractors", true);
        organisation("south-marine", true);
        organisation("hidden-vans", false);
    }
    ~ImportFixture() { unlink(path.c_str()); }

    void write_organisation(const identity::Organisation& organisation) {
        writes::write(connection, [&](writes::WriteTransaction& transaction) {
            accounts::write_organisations(transaction, std::span(&organisation, 1));
        });
    }

    core::Uuid organisation(const std::string& slug, bool published) {
        identity::Organisation organisation;
        organisation.id = core::Uuid::v7(clock.now());
        organisation.slug = slug;
        organisation.name = slug;
        organisation.published = published;
        organisation.created_at = organisation.updated_at = clock.now();
        write_organisation(organisation);
        return organisation.id;
    }

    // "added/changed/unchanged", or the message without the file's name in front.
    std::string import(Importer importer, const std::string& text) {
        std::ofstream(path, std::ios::binary) << text;
        try {
            ctl::Lines lines(path);
            const auto result = importer(connection, lines, clock, {});
            return std::to_string(result.added) + "/" + std::to_string(result.changed) + "/" + std::to_string(result.unchanged);
        } catch (const ctl::Failure& failure) {
            const std::string message = failure.what();
            return message.starts_with(path + ":") ? message.substr(path.size() + 1) : message;
        }
    }

    std::string exported(const std::string& kind, ctl::ExportOptions options = {}) {
        char* text = nullptr;
        std::size_t size = 0;
        std::FILE* const memory = open_memstream(&text, &size);
        ctl::export_lines(connection, kind, options, memory);
        std::fclose(memory);
        const std::string copy(text, size);
        std::free(text);
        return copy;
    }

    std::uint64_t version(const char* collection) { return versions::CollectionVersions(connection).version(collection); }
    std::int64_t count(const std::string& from) { return connection.query("SELECT COUNT(*) FROM " + from).at(0).integer(0); }
    std::string value(const std::string& select) {
        const auto rows = connection.query("SELECT " + select);
        return rows.size() == 1 && !rows[0].is_null(0) ? rows[0].text(0) : rows.empty() ? "(no row)" : "(null)";
    }

    MigratedDatabase database;
    db::Connection connection{database.config(), std::chrono::seconds(60)};
    core::ManualClock clock{*core::parse_rfc3339("2026-05-04T10:00:00Z")};
    std::string path = "/tmp/tradepost-import-" + std::to_string(getpid());
};

}  // namespace tradepost::test
