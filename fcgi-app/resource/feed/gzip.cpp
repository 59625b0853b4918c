#include "resource/feed/gzip.h"

#include <zlib.h>

#include <new>
#include <string>

#include "http/error.h"

namespace tradepost::feeds {
namespace {

constexpr std::size_t compressed_piece = 64 << 10;
constexpr int gzip_only = 16 + MAX_WBITS;

[[noreturn]] void refuse() {
    throw http::invalid_field("body", "must be gzip, as Content-Encoding says");
}

}  // namespace

struct Gunzip::State {
    State(Lines::Source source, std::uint64_t most)
        : compressed(std::move(source)), most_written(most), input(compressed_piece, '\0') {
        if (inflateInit2(&stream, gzip_only) != Z_OK) throw std::bad_alloc();
    }
    ~State() { inflateEnd(&stream); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void begin() {
        inflateReset(&stream);
        stream.avail_in = 0;
        read = written = 0;
        within_member = false;
    }

    // Whether there was more to read.
    bool read_more() {
        const auto count = compressed(read, input.data(), input.size());
        read += count;
        stream.next_in = reinterpret_cast<Bytef*>(input.data());
        stream.avail_in = uInt(count);
        if (count == 0 && within_member) refuse();
        return count > 0;
    }

    const Lines::Source compressed;
    const std::uint64_t most_written;
    std::string input;
    z_stream stream{};
    std::uint64_t read = 0, written = 0;  // compressed and decompressed bytes
    bool within_member = false;
};

Gunzip::Gunzip(Lines::Source compressed, std::uint64_t most) : state_(std::make_shared<State>(std::move(compressed), most)) {}

std::size_t Gunzip::operator()(std::uint64_t offset, char* buffer, std::size_t size) {
    auto& state = *state_;
    auto& stream = state.stream;
    if (offset == 0) state.begin();
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = uInt(size);
    while (stream.avail_out == size) {
        if (stream.avail_in == 0 && !state.read_more()) return 0;
        state.within_member = true;
        const int result = inflate(&stream, Z_NO_FLUSH);
        if (result == Z_STREAM_END) {
            inflateReset(&stream);
            state.within_member = false;
        } else if (result != Z_OK) {
            refuse();
        }
    }
    const auto count = size - stream.avail_out;
    state.written += count;
    if (state.written > state.most_written) throw http::body_too_large();
    return count;
}

}  // namespace tradepost::feeds
