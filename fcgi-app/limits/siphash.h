// SipHash-2-4 (Aumasson and Bernstein, 2012), fed piece by piece. Keyed, because clients choose the input: without the key
// nobody can find two inputs with the same counter.
#pragma once
#include <bit>
#include <cstdint>
#include <string_view>

namespace tradepost::limits {

class SipHash {
public:
    SipHash(std::uint64_t key0, std::uint64_t key1)
        : v0_(key0 ^ 0x736f6d6570736575),
          v1_(key1 ^ 0x646f72616e646f6d),
          v2_(key0 ^ 0x6c7967656e657261),
          v3_(key1 ^ 0x7465646279746573) {}

    void add(unsigned char byte) {
        word_ |= std::uint64_t{byte} << (8 * (length_ & 7));
        if ((++length_ & 7) == 0) take_word();
    }

    void add(std::string_view bytes) {
        for (const char c : bytes) add(static_cast<unsigned char>(c));
    }

    // The hash of all that was added; the object is spent.
    std::uint64_t finish() {
        word_ |= length_ << 56;
        take_word();
        v2_ ^= 0xff;
        for (int i = 0; i < 4; ++i) round();
        return v0_ ^ v1_ ^ v2_ ^ v3_;
    }

private:
    void take_word() {
        v3_ ^= word_;
        round();
        round();
        v0_ ^= word_;
        word_ = 0;
    }

    void round() {
        v0_ += v1_;
        v2_ += v3_;
        v1_ = std::rotl(v1_, 13) ^ v0_;
        v3_ = std::rotl(v3_, 16) ^ v2_;
        v0_ = std::rotl(v0_, 32);
        v2_ += v1_;
        v0_ += v3_;
        v1_ = std::rotl(v1_, 17) ^ v2_;
        v3_ = std::rotl(v3_, 21) ^ v0_;
        v2_ = std::rotl(v2_, 32);
    }

    std::uint64_t v0_, v1_, v2_, v3_;
    std::uint64_t word_ = 0;
    std::uint64_t length_ = 0;
};

}  // namespace tradepost::limits
