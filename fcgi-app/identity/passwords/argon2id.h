// Argon2id (RFC 9106) and the text form of its hashes.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tradepost::identity {

struct Argon2id {
    std::uint32_t version = 19;  // 19 (0x13) is current; 16 (0x10) when a text has no version
    std::uint32_t memory_kib = 0;
    std::uint32_t passes = 0;
    std::uint32_t lanes = 1;
    std::string salt;    // raw bytes
    std::string digest;  // raw bytes

    // "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$ZGlnZXN0", Base64 without padding.
    std::string to_text() const;

    // Empty for any other text, and for values that Argon2 does not allow.
    static std::optional<Argon2id> parse(std::string_view text);

    // The digest of `password` with these parameters and this salt, `length` bytes. The working memory comes from the operating
    // system and is returned to it at once. Throws std::bad_alloc, and std::invalid_argument for parameters that Argon2 does not
    // allow.
    std::string compute(std::string_view password, std::size_t length) const;
};

}  // namespace tradepost::identity
