// manifest.json of an export of everything: what the folder has. It is written last.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/time.h"

namespace tradepost::ctl::everything {

// Of the folder. Raise it when an older import would read the folder wrongly.
inline constexpr int known_format = 1;

inline constexpr const char* manifest_file = "manifest.json";
inline constexpr const char* upload_sums_file = "uploads.sha256";

struct Manifest {
    struct Table {
        std::string name;
        std::vector<std::string> columns = {};
        std::size_t rows = 0;
        std::string sha256 = {};  // of NAME.jsonl, in hexadecimal
        std::string file() const { return name + ".jsonl"; }
    };

    std::string version;      // of the product that wrote it
    std::int64_t schema = 0;  // the last migration
    core::Time exported_at;
    std::vector<Table> tables = {};
    std::size_t uploads = 0;  // files, thumbnails included
    std::uint64_t upload_bytes = 0;
    std::string upload_sums_sha256 = {};  // of upload_sums_file

    const Table* find(std::string_view table) const;
};

std::string to_text(const Manifest& manifest);

// Throws Failure when the folder is no complete export, or one of a newer format.
Manifest read_manifest(const std::string& directory);

}  // namespace tradepost::ctl::everything
