// Argon2id (RFC 9106) and the text form in which hashes of it are kept.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tradepost::auth {

struct Argon2id {
    std::uint32_t version = 19;  // 19 (0x13) is today's; 16 (0x10) is what texts without a version mean
    std::uint32_t memory_kib = 0;
    std::uint32_t passes = 0;
    std::uint32_t lanes = 1;
    std::string salt;    // raw bytes
    std::string digest;  // raw bytes

    // "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$ZGlnZXN0", Base64 without padding.
    std::string to_text() const;

    // Empty for anything but such a text, and for values that Argon2 does not allow.
    static std::optional<Argon2id> parse(std::string_view text);

    // The digest of `password` by these parameters and this salt, as long as `length` says. The working memory is fetched from
    // the operating system and given back, whatever the allocator would keep. Throws std::bad_alloc when there is none, and
    // std::invalid_argument for parameters that Argon2 does not allow.
    std::string compute(std::string_view password, std::size_t length) const;
};

}  // namespace tradepost::auth
