#include "ctl/everything/manifest.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "ctl/output.h"

namespace tradepost::ctl::everything {

const Manifest::Table* Manifest::find(std::string_view table) const {
    const auto found = std::find_if(tables.begin(), tables.end(), [&](const auto& each) { return each.name == table; });
    return found == tables.end() ? nullptr : &*found;
}

std::string to_text(const Manifest& manifest) {
    auto all = Json::array();
    for (const auto& table : manifest.tables)
        all.push_back({{"name", table.name},
                       {"file", table.file()},
                       {"rows", table.rows},
                       {"sha256", table.sha256},
                       {"columns", table.columns}});
    const Json document{{"format", known_format},
                        {"version", manifest.version},
                        {"schema", manifest.schema},
                        {"exportedAt", core::to_rfc3339(manifest.exported_at)},
                        {"tables", all},
                        {"uploads",
                         {{"file", upload_sums_file},
                          {"files", manifest.uploads},
                          {"bytes", manifest.upload_bytes},
                          {"sha256", manifest.upload_sums_sha256}}}};
    return document.dump(2) + "\n";
}

Manifest read_manifest(const std::string& directory) {
    const auto path = directory + "/" + manifest_file;
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Failure(directory + " is no complete export: " + manifest_file + " cannot be opened");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    try {
        const auto document = Json::parse(text);
        const auto format = document.at("format").get<std::int64_t>();
        Manifest manifest;
        manifest.version = document.at("version").get<std::string>();
        if (format > known_format)
            throw Failure(path + " was written by version " + manifest.version +
                          ", in a format that this version does not know: install that version or a newer one");
        manifest.schema = document.at("schema").get<std::int64_t>();
        manifest.exported_at = core::parse_rfc3339(document.at("exportedAt").get<std::string>()).value();
        for (const auto& table : document.at("tables"))
            manifest.tables.push_back({.name = table.at("name").get<std::string>(),
                                       .columns = table.at("columns").get<std::vector<std::string>>(),
                                       .rows = table.at("rows").get<std::size_t>(),
                                       .sha256 = table.at("sha256").get<std::string>()});
        const auto& uploads = document.at("uploads");
        manifest.uploads = uploads.at("files").get<std::size_t>();
        manifest.upload_bytes = uploads.at("bytes").get<std::uint64_t>();
        manifest.upload_sums_sha256 = uploads.at("sha256").get<std::string>();
        return manifest;
    } catch (const Json::exception&) {
        throw Failure(path + " is damaged: copy the export again");
    } catch (const std::bad_optional_access&) {
        throw Failure(path + " is damaged: copy the export again");
    }
}

}  // namespace tradepost::ctl::everything
