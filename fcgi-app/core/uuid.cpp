#include "core/uuid.h"

#include <algorithm>
#include <stdexcept>

#include "core/crypto.h"
#include "core/hex.h"

namespace tradepost::core {

// RFC 9562, section 5.7, with the counter of section 6.2 (method 2): within a millisecond, or when the clock has gone
// back, the 74 random bits are taken as a number and go up.
Uuid Uuid::v7(Time now) {
    static thread_local Uuid last;
    static thread_local std::int64_t last_ms = -1;

    const std::int64_t ms = now.time_since_epoch().count();
    Uuid id;
    if (ms > last_ms) {
        const std::string random = random_bytes(10);
        for (int i = 0; i < 6; ++i) id.bytes_[i] = std::uint8_t(ms >> (40 - 8 * i));
        std::copy(random.begin(), random.end(), id.bytes_.begin() + 6);
        id.bytes_[6] = std::uint8_t((id.bytes_[6] & 0x07) | 0x70);  // top bit of the counter clear: room to go up
        id.bytes_[8] = std::uint8_t((id.bytes_[8] & 0x3f) | 0x80);
        last_ms = ms;
    } else {
        id = last;
        for (int i = 15; i >= 6; --i) {
            const int low = i == 6 ? 0x0f : i == 8 ? 0x3f : 0xff;  // version and variant bits stay
            const int next = ((id.bytes_[i] & low) + 1) & low;
            id.bytes_[i] = std::uint8_t((id.bytes_[i] & ~low) | next);
            if (next != 0) break;
        }
    }
    return last = id;
}

std::optional<Uuid> Uuid::parse(std::string_view text) {
    if (text.size() != 36) return {};
    Uuid id;
    std::size_t at = 0;
    for (auto& byte : id.bytes_) {
        if (at == 8 || at == 13 || at == 18 || at == 23)
            if (text[at++] != '-') return {};
        const int high = hex_value(text[at]), low = hex_value(text[at + 1]);
        if (high < 0 || low < 0) return {};
        byte = std::uint8_t(high << 4 | low);
        at += 2;
    }
    return id;
}

Uuid Uuid::from_bytes(std::string_view bytes) {
    Uuid id;
    if (bytes.size() != id.bytes_.size()) throw std::invalid_argument("a UUID has 16 bytes, not " + std::to_string(bytes.size()));
    std::copy(bytes.begin(), bytes.end(), id.bytes_.begin());
    return id;
}

std::string Uuid::to_string() const {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text(36, '-');
    std::size_t at = 0;
    for (const auto byte : bytes_) {
        if (at == 8 || at == 13 || at == 18 || at == 23) ++at;
        text[at++] = digits[byte >> 4];
        text[at++] = digits[byte & 15];
    }
    return text;
}

}  // namespace tradepost::core
