// The body of a feed that was sent compressed.
#pragma once
#include <memory>

#include "resource/feed/lines.h"

namespace tradepost::feeds {

// Decompresses gzip (RFC 1952, also several members in a row) piece by piece: neither memory nor disk ever holds the whole. It is a
// Lines::Source, whose offsets go on from piece to piece, or begin again at 0. Throws 413 when the bytes become more than `most`, before
// it returns them, 400 when they are not gzip or break off, and what `compressed` throws.
class Gunzip {
public:
    Gunzip(Lines::Source compressed, std::uint64_t most);

    std::size_t operator()(std::uint64_t offset, char* buffer, std::size_t size);

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace tradepost::feeds
