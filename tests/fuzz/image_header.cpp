// No file makes the readers of pictures look outside it, and what they take out of a WebP file reads as the same picture.
#include "files/image_header.h"

#include <cstdint>
#include <cstdlib>

#include "core/base64.h"
#include "files/webp.h"

using namespace tradepost;

namespace {

void require(bool kept) {
    if (!kept) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view file(reinterpret_cast<const char*>(data), size);
    if (const auto header = files::read_image_header(file)) {
        require(header->width > 0 && header->height > 0);
        require(header->pixels() / header->width == header->height);
    }
    if (const auto bare = files::strip_webp(file)) {
        require(bare->size() <= file.size());
        require(files::strip_webp(*bare) == bare);
    }
    if (const auto bytes = core::from_base64url(file)) require(core::to_base64url(*bytes) == file);
    if (const auto bytes = core::from_base64(file)) require(size / 4 * 3 >= bytes->size() && bytes->size() + 2 >= size / 4 * 3);
    return 0;
}
