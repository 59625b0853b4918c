#include "versions/versions_file.h"

#include <cstring>
#include <new>

#include "core/crypto.h"

namespace tradepost::versions {
namespace {

using Layout = VersionsFile::Layout;

constexpr char magic[8] = {'T', 'P', 'V', 'E', 'R', 'S', 'N', 'S'};
constexpr std::uint32_t layout_version = 1;

void initialise(void* address) {
    auto& layout = *new (address) Layout;
    for (auto& cell : layout.cells) {
        std::uint64_t start = 0;
        std::memcpy(&start, core::random_bytes(sizeof start).data(), sizeof start);
        cell.epoch = start;
        for (auto& slot : cell.pending) slot = 0;
    }
    layout.version = layout_version;
    layout.file_bytes = sizeof(Layout);
    std::memcpy(layout.magic, magic, sizeof magic);
}

bool is_ours(const void* address) {
    const auto& layout = *static_cast<const Layout*>(address);
    return std::memcmp(layout.magic, magic, sizeof magic) == 0 && layout.version == layout_version &&
           layout.file_bytes == sizeof(Layout);
}

}  // namespace

std::unique_ptr<VersionsFile> VersionsFile::open(const std::string& path, WhenMissing when_missing) {
    auto mapping = core::SharedMapping::open(path, {sizeof(Layout), initialise, is_ours}, when_missing);
    return mapping ? std::unique_ptr<VersionsFile>(new VersionsFile(std::move(mapping))) : nullptr;
}

}  // namespace tradepost::versions
