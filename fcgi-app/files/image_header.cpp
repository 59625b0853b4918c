#include "files/image_header.h"

#include <algorithm>
#include <string>

namespace tradepost::files {
namespace {

using namespace std::string_view_literals;

// Reads numbers at offsets that the caller has checked with has().
class Bytes {
public:
    explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
    bool has(std::size_t at, std::size_t count) const { return at <= bytes_.size() && bytes_.size() - at >= count; }
    std::uint32_t byte(std::size_t at) const { return static_cast<unsigned char>(bytes_[at]); }
    std::uint32_t big16(std::size_t at) const { return byte(at) << 8 | byte(at + 1); }
    std::uint32_t big32(std::size_t at) const { return big16(at) << 16 | big16(at + 2); }
    std::uint32_t little16(std::size_t at) const { return byte(at) | byte(at + 1) << 8; }
    std::uint32_t little24(std::size_t at) const { return little16(at) | byte(at + 2) << 16; }
    std::uint32_t little32(std::size_t at) const { return little16(at) | little16(at + 2) << 16; }
    bool is(std::size_t at, std::string_view text) const {
        return has(at, text.size()) && bytes_.substr(at, text.size()) == text;
    }

private:
    std::string_view bytes_;
};

std::optional<ImageHeader> sized(const char* type, std::uint32_t width, std::uint32_t height, bool lossless) {
    if (width == 0 || height == 0) return {};
    return ImageHeader{type, width, height, lossless};
}

// Frame headers: SOF0 … SOF15 without DHT, JPG and DAC, which have numbers among them.
bool is_frame(std::uint32_t marker) {
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}
bool stands_alone(std::uint32_t marker) {
    return marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

std::optional<ImageHeader> read_jpeg(const Bytes& file) {
    for (std::size_t at = 2; file.has(at, 2);) {
        if (file.byte(at) != 0xff) return {};
        const auto marker = file.byte(at + 1);
        if (marker == 0xff) {  // fill byte
            ++at;
            continue;
        }
        at += 2;
        if (stands_alone(marker)) continue;
        // The scan, or the end of the image, before any frame.
        if (marker == 0xda || marker == 0xd9 || marker == 0 || !file.has(at, 2)) return {};
        const auto length = file.big16(at);
        if (length < 2) return {};
        if (is_frame(marker)) {
            if (length < 8 || !file.has(at, 8)) return {};
            return sized("image/jpeg", file.big16(at + 5), file.big16(at + 3), false);
        }
        at += length;
    }
    return {};
}

std::optional<ImageHeader> read_png(const Bytes& file) {
    if (!file.has(8, 25) || file.big32(8) != 13 || !file.is(12, "IHDR"sv)) return {};
    const auto width = file.big32(16), height = file.big32(20);
    if (width > 0x7fffffff || height > 0x7fffffff) return {};
    return sized("image/png", width, height, true);
}

// One frame: VP8 (RFC 6386, 9.1) or VP8L.
std::optional<ImageHeader> read_webp_frame(const Bytes& file, std::size_t chunk) {
    const auto data = chunk + 8;
    if (file.is(chunk, "VP8 "sv)) {
        if (!file.has(data, 10) || (file.byte(data) & 1) || !file.is(data + 3, "\x9d\x01\x2a"sv)) return {};
        return sized("image/webp", file.little16(data + 6) & 0x3fff, file.little16(data + 8) & 0x3fff, false);
    }
    if (file.is(chunk, "VP8L"sv)) {
        if (!file.has(data, 5) || file.byte(data) != 0x2f) return {};
        const auto bits = file.little32(data + 1);
        return sized("image/webp", (bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1, true);
    }
    return {};
}

std::optional<ImageHeader> read_webp(const Bytes& file) {
    if (!file.is(12, "VP8X"sv)) return read_webp_frame(file, 12);
    if (!file.has(20, 10)) return {};
    ImageHeader header{"image/webp", file.little24(24) + 1, file.little24(27) + 1, false};
    // The frame follows the chunks that describe it; the frames of an animation (ANMF) lie within the canvas.
    std::size_t at = 12;
    for (int i = 0; i < 64 && file.has(at, 8); ++i) {
        if (const auto frame = read_webp_frame(file, at)) {
            header.width = std::max(header.width, frame->width);
            header.height = std::max(header.height, frame->height);
            header.lossless = frame->lossless;
            break;
        }
        const std::uint64_t size = file.little32(at + 4);
        at += std::size_t(8 + size + (size & 1));
    }
    return header;
}

}  // namespace

std::optional<ImageHeader> read_image_header(std::string_view text) {
    const Bytes file(text);
    if (file.is(0, "\xff\xd8\xff"sv)) return read_jpeg(file);
    if (file.is(0, "\x89PNG\r\n\x1a\n"sv)) return read_png(file);
    if (file.is(0, "RIFF"sv) && file.is(8, "WEBP"sv)) return read_webp(file);
    return {};
}

}  // namespace tradepost::files
