#include "core/crypto.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <sys/random.h>
#include <xxhash.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace tradepost::core {

std::string random_bytes(std::size_t count) {
    std::string bytes(count, '\0');
    for (std::size_t have = 0; have < count;) {
        const ssize_t got = getrandom(bytes.data() + have, count - have, 0);
        if (got < 0) {
            if (errno == EINTR) continue;
            throw std::system_error(errno, std::generic_category(), "getrandom");
        }
        have += std::size_t(got);
    }
    return bytes;
}

std::string sha256(std::string_view data) {
    std::string digest(SHA256_DIGEST_LENGTH, '\0');
    SHA256(reinterpret_cast<const unsigned char*>(data.data()), data.size(), reinterpret_cast<unsigned char*>(digest.data()));
    return digest;
}

std::string fast_hash128(std::string_view data) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(data.data(), data.size()));
    return {reinterpret_cast<const char*>(canonical.digest), sizeof canonical.digest};
}

std::string hmac_sha256(std::string_view key, std::string_view message) {
    unsigned char code[32];
    const auto* bytes = reinterpret_cast<const unsigned char*>(message.data());
    if (!HMAC(EVP_sha256(), key.data(), int(key.size()), bytes, message.size(), code, nullptr))
        throw std::runtime_error("HMAC failed");
    return {reinterpret_cast<const char*>(code), sizeof code};
}

bool equal_constant_time(std::string_view a, std::string_view b) {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace tradepost::core
